DROP INDEX `attendance_logs_all`;--> statement-breakpoint
DROP INDEX `attendance_logs_employee`;--> statement-breakpoint
DROP INDEX `attendance_logs_branch`;--> statement-breakpoint
DROP INDEX `attendance_logs_department`;--> statement-breakpoint
DROP INDEX `attendance_logs_branch_department`;--> statement-breakpoint
CREATE INDEX `attendance_logs_all` ON `attendance_logs` (`status`,`kind`,`recorded_at`);--> statement-breakpoint
CREATE INDEX `attendance_logs_employee` ON `attendance_logs` (`employee_id`,`status`,`kind`,`recorded_at`);--> statement-breakpoint
CREATE INDEX `attendance_logs_branch` ON `attendance_logs` (`branch_office`,`status`,`kind`,`recorded_at`);--> statement-breakpoint
CREATE INDEX `attendance_logs_department` ON `attendance_logs` (`department`,`status`,`kind`,`recorded_at`);--> statement-breakpoint
CREATE INDEX `attendance_logs_branch_department` ON `attendance_logs` (`branch_office`,`department`,`status`,`kind`,`recorded_at`);