-- A log has copies of its employee's branch and department, for the filters of the log queries.
-- A table rebuild drops triggers: re-create these after a rebuild.
UPDATE `attendance_logs` SET
	`branch_office` = (SELECT `branch_office` FROM `employees` WHERE `employees`.`employee_id` = `attendance_logs`.`employee_id`),
	`department` = (SELECT `department` FROM `employees` WHERE `employees`.`employee_id` = `attendance_logs`.`employee_id`);
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_copy_on_insert` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office` <> NEW.`branch_office` OR `e`.`department` <> NEW.`department`))
BEGIN
	UPDATE `attendance_logs` SET (`branch_office`, `department`) = (SELECT `branch_office`, `department` FROM `employees` WHERE `employee_id` = NEW.`employee_id`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_copy_on_transfer` AFTER UPDATE OF `employee_id` ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office` <> NEW.`branch_office` OR `e`.`department` <> NEW.`department`))
BEGIN
	UPDATE `attendance_logs` SET (`branch_office`, `department`) = (SELECT `branch_office`, `department` FROM `employees` WHERE `employee_id` = NEW.`employee_id`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `employees_copy_on_move` AFTER UPDATE OF `branch_office`, `department` ON `employees`
WHEN NEW.`branch_office` <> OLD.`branch_office` OR NEW.`department` <> OLD.`department`
BEGIN
	UPDATE `attendance_logs` SET `branch_office` = NEW.`branch_office`, `department` = NEW.`department` WHERE `employee_id` = NEW.`employee_id`;
END;
