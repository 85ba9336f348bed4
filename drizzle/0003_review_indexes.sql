DROP INDEX `attendance_logs_employee_id`;--> statement-breakpoint
ALTER TABLE `attendance_logs` ADD `branch_office` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `attendance_logs` ADD `department` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `attendance_logs_all` ON `attendance_logs` (`status`,`kind`,`recorded_at`,`id`);--> statement-breakpoint
CREATE INDEX `attendance_logs_employee` ON `attendance_logs` (`employee_id`,`status`,`kind`,`recorded_at`,`id`);--> statement-breakpoint
CREATE INDEX `attendance_logs_branch` ON `attendance_logs` (`branch_office`,`status`,`kind`,`recorded_at`,`id`);--> statement-breakpoint
CREATE INDEX `attendance_logs_department` ON `attendance_logs` (`department`,`status`,`kind`,`recorded_at`,`id`);--> statement-breakpoint
CREATE INDEX `attendance_logs_branch_department` ON `attendance_logs` (`branch_office`,`department`,`status`,`kind`,`recorded_at`,`id`);