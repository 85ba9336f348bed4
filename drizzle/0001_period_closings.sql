CREATE TABLE `period_closings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`before` text NOT NULL,
	`before_at` text NOT NULL,
	`payroll_group` text,
	`user_id` integer NOT NULL,
	`comment` text,
	`last_change_id` integer NOT NULL,
	`time_zone` text NOT NULL,
	`max_shift_hours` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "period_closings_before" CHECK(date("period_closings"."before") IS "period_closings"."before"),
	CONSTRAINT "period_closings_before_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "period_closings"."before_at") IS "period_closings"."before_at"),
	CONSTRAINT "period_closings_comment" CHECK(length("period_closings"."comment") <= 500),
	CONSTRAINT "period_closings_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "period_closings"."created_at") IS "period_closings"."created_at")
);
--> statement-breakpoint
CREATE INDEX `period_closings_payroll_group` ON `period_closings` (`payroll_group`);--> statement-breakpoint
CREATE INDEX `employees_payroll_group` ON `employees` (`payroll_group`);--> statement-breakpoint
CREATE TRIGGER `period_closings_no_update` BEFORE UPDATE ON `period_closings`
BEGIN
	SELECT RAISE(ABORT, 'period_closings is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `period_closings_no_delete` BEFORE DELETE ON `period_closings`
BEGIN
	SELECT RAISE(ABORT, 'period_closings is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `period_closings_no_replace` BEFORE INSERT ON `period_closings`
WHEN EXISTS (SELECT 1 FROM `period_closings` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'period_closings is append-only');
END;
--> statement-breakpoint
-- The newest closing of the log's group or of everybody rules. It locks what was decided by then.
CREATE TRIGGER `attendance_logs_locked` BEFORE UPDATE OF `status` ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `period_closings` AS `c` WHERE `c`.`id` = max(coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` = OLD.`payroll_group`), 0), coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` IS NULL), 0)) AND OLD.`recorded_at` < `c`.`before_at` AND (SELECT `to_status` FROM `log_audit` WHERE `log_id` = OLD.`id` AND `id` <= `c`.`last_change_id` ORDER BY `id` DESC LIMIT 1) <> 'pending')
BEGIN
	SELECT RAISE(ABORT, 'log:CLOSED');
END;
--> statement-breakpoint
-- A log that arrives decided would change a closed period; pending ones may arrive at any time.
CREATE TRIGGER `attendance_logs_no_decided_in_closed` BEFORE INSERT ON `attendance_logs`
WHEN NEW.`status` <> 'pending' AND EXISTS (SELECT 1 FROM `period_closings` AS `c` WHERE `c`.`id` = max(coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` = (SELECT `payroll_group` FROM `employees` WHERE `employee_id` = NEW.`employee_id`)), 0), coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` IS NULL), 0)) AND NEW.`recorded_at` < `c`.`before_at`)
BEGIN
	SELECT RAISE(ABORT, 'log:CLOSED');
END;
