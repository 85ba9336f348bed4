CREATE TABLE `people_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`user_id` integer,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`changes` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "people_changes_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "people_changes"."at") IS "people_changes"."at"),
	CONSTRAINT "people_changes_subject" CHECK("people_changes"."subject" IN ('employee', 'user')),
	CONSTRAINT "people_changes_changes" CHECK("people_changes"."changes" = '' OR json_valid("people_changes"."changes"))
);
--> statement-breakpoint
CREATE INDEX `people_changes_subject` ON `people_changes` (`subject`,`subject_id`);--> statement-breakpoint
ALTER TABLE `employees` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `people_changes_no_update` BEFORE UPDATE ON `people_changes`
WHEN NEW.`changes` <> '' OR OLD.`changes` = ''
	OR (NEW.`id`, NEW.`at`, NEW.`user_id`, NEW.`subject`, NEW.`subject_id`)
	IS NOT (OLD.`id`, OLD.`at`, OLD.`user_id`, OLD.`subject`, OLD.`subject_id`)
BEGIN
	SELECT RAISE(ABORT, 'people_changes is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `people_changes_no_delete` BEFORE DELETE ON `people_changes`
BEGIN
	SELECT RAISE(ABORT, 'people_changes is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `people_changes_no_replace` BEFORE INSERT ON `people_changes`
WHEN EXISTS (SELECT 1 FROM `people_changes` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'people_changes is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `employees_version` AFTER UPDATE ON `employees`
WHEN NEW.`version` = OLD.`version`
	AND (NEW.`employee_id`, NEW.`full_name`, NEW.`rfc`, NEW.`phone`, NEW.`cellphone`, NEW.`started_at`,
		NEW.`job_position`, NEW.`department`, NEW.`branch_office`, NEW.`profile_image`,
		NEW.`payroll_group`, NEW.`ended_at`)
	IS NOT (OLD.`employee_id`, OLD.`full_name`, OLD.`rfc`, OLD.`phone`, OLD.`cellphone`, OLD.`started_at`,
		OLD.`job_position`, OLD.`department`, OLD.`branch_office`, OLD.`profile_image`,
		OLD.`payroll_group`, OLD.`ended_at`)
BEGIN
	UPDATE `employees` SET `version` = OLD.`version` + 1 WHERE `employee_id` = NEW.`employee_id`;
END;
