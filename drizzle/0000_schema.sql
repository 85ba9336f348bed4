CREATE TABLE `attendance_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` text NOT NULL,
	`kind` text NOT NULL,
	`recorded_at` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attendance_logs_kind" CHECK("attendance_logs"."kind" IN ('entrada', 'salida')),
	CONSTRAINT "attendance_logs_status" CHECK("attendance_logs"."status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "attendance_logs_recorded_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."recorded_at") IS "attendance_logs"."recorded_at"),
	CONSTRAINT "attendance_logs_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."created_at") IS "attendance_logs"."created_at"),
	CONSTRAINT "attendance_logs_updated_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."updated_at") IS "attendance_logs"."updated_at")
);
--> statement-breakpoint
CREATE INDEX `attendance_logs_employee_id` ON `attendance_logs` (`employee_id`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`url_base` text NOT NULL,
	CONSTRAINT "clients_code" CHECK(trim("clients"."code") <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_code_unique` ON `clients` (`code`);--> statement-breakpoint
CREATE TABLE `config_entries` (
	`key` text PRIMARY KEY NOT NULL,
	`tipo` text NOT NULL,
	`nombre` text NOT NULL,
	`valor` text NOT NULL,
	CONSTRAINT "config_entries_key" CHECK("config_entries"."key" <> '')
);
--> statement-breakpoint
CREATE TABLE `employees` (
	`employee_id` text PRIMARY KEY NOT NULL,
	`full_name` text NOT NULL,
	`rfc` text NOT NULL,
	`phone` text NOT NULL,
	`cellphone` text NOT NULL,
	`started_at` text NOT NULL,
	`job_position` text NOT NULL,
	`department` text NOT NULL,
	`branch_office` text NOT NULL,
	`profile_image` text NOT NULL,
	CONSTRAINT "employees_employee_id" CHECK("employees"."employee_id" <> ''),
	CONSTRAINT "employees_started_at" CHECK(date("employees"."started_at") IS "employees"."started_at")
);
--> statement-breakpoint
CREATE TABLE `log_audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`log_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`from_status` text NOT NULL,
	`to_status` text NOT NULL,
	`comment_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`comment_id`) REFERENCES `log_comments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_audit_from_status" CHECK("log_audit"."from_status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "log_audit_to_status" CHECK("log_audit"."to_status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "log_audit_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_audit"."created_at") IS "log_audit"."created_at")
);
--> statement-breakpoint
CREATE INDEX `log_audit_log_id` ON `log_audit` (`log_id`);--> statement-breakpoint
CREATE TABLE `log_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`log_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`comment` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_comments_comment" CHECK(length("log_comments"."comment") BETWEEN 1 AND 500),
	CONSTRAINT "log_comments_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_comments"."created_at") IS "log_comments"."created_at"),
	CONSTRAINT "log_comments_updated_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_comments"."updated_at") IS "log_comments"."updated_at")
);
--> statement-breakpoint
CREATE INDEX `log_comments_log_id` ON `log_comments` (`log_id`);--> statement-breakpoint
CREATE TABLE `modules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`icon` text NOT NULL,
	`enabled` integer NOT NULL,
	`enabled_app` integer NOT NULL,
	CONSTRAINT "modules_enabled" CHECK("modules"."enabled" IN (0, 1)),
	CONSTRAINT "modules_enabled_app" CHECK("modules"."enabled_app" IN (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `modules_slug_unique` ON `modules` (`slug`);--> statement-breakpoint
CREATE INDEX `modules_enabled_app` ON `modules` (`enabled_app`);--> statement-breakpoint
CREATE TABLE `revoked_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "revoked_tokens_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "revoked_tokens"."created_at") IS "revoked_tokens"."created_at")
);
--> statement-breakpoint
CREATE INDEX `revoked_tokens_user_id` ON `revoked_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`token_version` integer DEFAULT 0 NOT NULL,
	`first_name` text NOT NULL,
	`last_name` text NOT NULL,
	`mother_last_name` text NOT NULL,
	`role` text NOT NULL,
	`active` integer DEFAULT 1 NOT NULL,
	`external` integer DEFAULT 0 NOT NULL,
	`type_user` text NOT NULL,
	`status_user` text NOT NULL,
	`employee_id` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_email_key" CHECK("users"."email_key" LIKE '%_@_%'),
	CONSTRAINT "users_active" CHECK("users"."active" IN (0, 1)),
	CONSTRAINT "users_external" CHECK("users"."external" IN (0, 1))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_employee_id_unique` ON `users` (`employee_id`);