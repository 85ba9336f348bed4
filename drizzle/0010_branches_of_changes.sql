ALTER TABLE `people_changes` ADD `branches` text CONSTRAINT "people_changes_branches" CHECK(branches IS NULL OR json_valid(branches));--> statement-breakpoint
DROP TRIGGER `people_changes_no_update`;--> statement-breakpoint
-- The branches in the change itself, else those of the change before or after it, else that of now.
UPDATE `people_changes` SET `branches` = coalesce(
	(SELECT json_group_array(side.value)
		FROM json_each(iif(`changes` = '', '[]', `changes`)) AS change,
			json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS side
		WHERE change.value ->> 'field' = 'branch_office' AND side.value IS NOT NULL
		HAVING count(*) > 0),
	(SELECT json_array(coalesce(change.value ->> 'after', change.value ->> 'before'))
		FROM `people_changes` AS earlier,
			json_each(iif(earlier.`changes` = '', '[]', earlier.`changes`)) AS change
		WHERE earlier.`subject` = 'employee' AND earlier.`subject_id` = `people_changes`.`subject_id`
			AND earlier.`id` < `people_changes`.`id` AND change.value ->> 'field' = 'branch_office'
		ORDER BY earlier.`id` DESC LIMIT 1),
	(SELECT json_array(coalesce(change.value ->> 'before', change.value ->> 'after'))
		FROM `people_changes` AS later,
			json_each(iif(later.`changes` = '', '[]', later.`changes`)) AS change
		WHERE later.`subject` = 'employee' AND later.`subject_id` = `people_changes`.`subject_id`
			AND later.`id` > `people_changes`.`id` AND change.value ->> 'field' = 'branch_office'
		ORDER BY later.`id` LIMIT 1),
	(SELECT json_array(`branch_office`) FROM `employees`
		WHERE `employee_id` = `people_changes`.`subject_id`))
WHERE `subject` = 'employee';--> statement-breakpoint
CREATE TRIGGER `people_changes_no_update` BEFORE UPDATE ON `people_changes`
WHEN NEW.`changes` <> '' OR OLD.`changes` = ''
	OR (NEW.`id`, NEW.`at`, NEW.`user_id`, NEW.`subject`, NEW.`subject_id`, NEW.`branches`)
	IS NOT (OLD.`id`, OLD.`at`, OLD.`user_id`, OLD.`subject`, OLD.`subject_id`, OLD.`branches`)
BEGIN
	SELECT RAISE(ABORT, 'people_changes is append-only');
END;
