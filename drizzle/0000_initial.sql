-- Parents before children. By hand: the order, the deferred key of log_comments, and the triggers.
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
	`payroll_group` text DEFAULT '' NOT NULL,
	`ended_at` text,
	CONSTRAINT "employees_employee_id" CHECK("employees"."employee_id" <> ''),
	CONSTRAINT "employees_started_at" CHECK(date("employees"."started_at") IS "employees"."started_at"),
	CONSTRAINT "employees_ended_at" CHECK(date("employees"."ended_at") IS "employees"."ended_at")
);
--> statement-breakpoint
CREATE INDEX `employees_payroll_group` ON `employees` (`payroll_group`);
--> statement-breakpoint
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
	`actor_hash` text NOT NULL,
	`actor_salt` text NOT NULL,
	`scope_branches` text,
	`sources` text,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_email_key" CHECK("users"."email_key" LIKE '%_@_%'),
	CONSTRAINT "users_active" CHECK("users"."active" IN (0, 1)),
	CONSTRAINT "users_external" CHECK("users"."external" IN (0, 1)),
	CONSTRAINT "users_scope_branches" CHECK("users"."scope_branches" IS NULL OR (json_valid("users"."scope_branches")
        AND json_type("users"."scope_branches") = 'array' AND json_array_length("users"."scope_branches") > 0)),
	CONSTRAINT "users_sources" CHECK("users"."sources" IS NULL OR (json_valid("users"."sources")
        AND json_type("users"."sources") = 'array' AND json_array_length("users"."sources") > 0))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_employee_id_unique` ON `users` (`employee_id`);
--> statement-breakpoint
CREATE TABLE `revoked_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "revoked_tokens_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "revoked_tokens"."created_at") IS "revoked_tokens"."created_at")
);
--> statement-breakpoint
CREATE INDEX `revoked_tokens_user_id` ON `revoked_tokens` (`user_id`);
--> statement-breakpoint
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
CREATE UNIQUE INDEX `modules_slug_unique` ON `modules` (`slug`);
--> statement-breakpoint
CREATE INDEX `modules_enabled_app` ON `modules` (`enabled_app`);
--> statement-breakpoint
CREATE TABLE `clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`url_base` text NOT NULL,
	CONSTRAINT "clients_code" CHECK(trim("clients"."code") <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_code_unique` ON `clients` (`code`);
--> statement-breakpoint
CREATE TABLE `config_entries` (
	`key` text PRIMARY KEY NOT NULL,
	`tipo` text NOT NULL,
	`nombre` text NOT NULL,
	`valor` text NOT NULL,
	CONSTRAINT "config_entries_key" CHECK("config_entries"."key" <> '')
);
--> statement-breakpoint
CREATE TABLE `attendance_logs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` text NOT NULL,
	`kind` text NOT NULL,
	`recorded_at` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`source` text DEFAULT '' NOT NULL,
	`source_id` text,
	`branch_office` text DEFAULT '' NOT NULL,
	`department` text DEFAULT '' NOT NULL,
	`payroll_group` text DEFAULT '' NOT NULL,
	`recorded_by` integer,
	`comment_id` integer,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`recorded_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "attendance_logs_kind" CHECK("attendance_logs"."kind" IN ('entrada', 'salida', 'checada')),
	CONSTRAINT "attendance_logs_status" CHECK("attendance_logs"."status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "attendance_logs_recorded_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."recorded_at") IS "attendance_logs"."recorded_at"),
	CONSTRAINT "attendance_logs_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."created_at") IS "attendance_logs"."created_at"),
	CONSTRAINT "attendance_logs_updated_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "attendance_logs"."updated_at") IS "attendance_logs"."updated_at")
);
--> statement-breakpoint
CREATE INDEX `attendance_logs_all` ON `attendance_logs` (`status`,`kind`,`recorded_at`);
--> statement-breakpoint
CREATE INDEX `attendance_logs_employee` ON `attendance_logs` (`employee_id`,`status`,`kind`,`recorded_at`);
--> statement-breakpoint
CREATE INDEX `attendance_logs_branch` ON `attendance_logs` (`branch_office`,`status`,`kind`,`recorded_at`);
--> statement-breakpoint
CREATE INDEX `attendance_logs_department` ON `attendance_logs` (`department`,`status`,`kind`,`recorded_at`);
--> statement-breakpoint
CREATE INDEX `attendance_logs_branch_department` ON `attendance_logs` (`branch_office`,`department`,`status`,`kind`,`recorded_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `attendance_logs_source` ON `attendance_logs` (`source`,`source_id`) WHERE "attendance_logs"."source_id" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `log_comments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`log_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`comment` text NOT NULL,
	`salt` text DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action DEFERRABLE INITIALLY DEFERRED,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_comments_comment" CHECK((length("log_comments"."comment") BETWEEN 1 AND 500 AND length("log_comments"."salt") = 32)
        OR ("log_comments"."comment" = '' AND "log_comments"."salt" = '')),
	CONSTRAINT "log_comments_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_comments"."created_at") IS "log_comments"."created_at"),
	CONSTRAINT "log_comments_updated_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_comments"."updated_at") IS "log_comments"."updated_at")
);
--> statement-breakpoint
CREATE INDEX `log_comments_log_id` ON `log_comments` (`log_id`);
--> statement-breakpoint
CREATE TABLE `log_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event` text NOT NULL,
	`log_id` integer NOT NULL,
	`user_id` integer,
	`from_status` text,
	`to_status` text NOT NULL,
	`comment_id` integer,
	`created_at` text NOT NULL,
	`employee_id` text NOT NULL,
	`kind` text NOT NULL,
	`recorded_at` text NOT NULL,
	`source` text NOT NULL,
	`actor` text NOT NULL,
	`salt` text DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`comment_id`) REFERENCES `log_comments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_events_event" CHECK("log_events"."event" IN ('recorded', 'decided')),
	CONSTRAINT "log_events_from_status" CHECK(CASE "log_events"."event" WHEN 'recorded' THEN "log_events"."from_status" IS NULL
        ELSE "log_events"."from_status" IS NOT NULL AND "log_events"."from_status" IN ('pending', 'approved', 'rejected') END),
	CONSTRAINT "log_events_to_status" CHECK("log_events"."to_status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "log_events_user_id" CHECK("log_events"."event" = 'recorded' OR "log_events"."user_id" IS NOT NULL),
	CONSTRAINT "log_events_salt" CHECK(length("log_events"."salt") = 32),
	CONSTRAINT "log_events_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_events"."created_at") IS "log_events"."created_at")
);
--> statement-breakpoint
CREATE INDEX `log_events_log_id` ON `log_events` (`log_id`);
--> statement-breakpoint
CREATE TABLE `erased_comments` (
	`comment_id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`erased_at` text NOT NULL,
	FOREIGN KEY (`comment_id`) REFERENCES `log_comments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "erased_comments_hash" CHECK(length("erased_comments"."hash") = 64),
	CONSTRAINT "erased_comments_erased_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "erased_comments"."erased_at") IS "erased_comments"."erased_at")
);
--> statement-breakpoint
CREATE TABLE `intake_sources` (
	`source` text PRIMARY KEY NOT NULL,
	`complete_until` text,
	`last_seen_at` text NOT NULL,
	`retired_at` text,
	CONSTRAINT "intake_sources_complete_until" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "intake_sources"."complete_until") IS "intake_sources"."complete_until"),
	CONSTRAINT "intake_sources_last_seen_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "intake_sources"."last_seen_at") IS "intake_sources"."last_seen_at"),
	CONSTRAINT "intake_sources_retired_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "intake_sources"."retired_at") IS "intake_sources"."retired_at")
);
--> statement-breakpoint
CREATE TABLE `intake_problems` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`source` text NOT NULL,
	`source_id` text NOT NULL,
	`employee_id` text NOT NULL,
	`branch_office` text,
	`result` text NOT NULL,
	`reason` text,
	`first_at` text NOT NULL,
	`last_at` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`dismissed_at` text,
	`dismissed_reason` text,
	CONSTRAINT "intake_problems_dismissed_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "intake_problems"."dismissed_at") IS "intake_problems"."dismissed_at"),
	CONSTRAINT "intake_problems_dismissed_reason" CHECK(("intake_problems"."dismissed_at" IS NULL) = ("intake_problems"."dismissed_reason" IS NULL)
        AND coalesce(length("intake_problems"."dismissed_reason"), 1) BETWEEN 1 AND 500)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `intake_problems_item` ON `intake_problems` (`source`,`source_id`,`employee_id`);
--> statement-breakpoint
CREATE INDEX `intake_problems_last_at` ON `intake_problems` (`last_at`);
--> statement-breakpoint
CREATE TABLE `employee_sources` (
	`employee_id` text NOT NULL,
	`source` text NOT NULL,
	`last_recorded_at` text NOT NULL,
	PRIMARY KEY(`employee_id`, `source`),
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `period_closings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`before` text NOT NULL,
	`before_at` text NOT NULL,
	`payroll_group` text,
	`user_id` integer NOT NULL,
	`comment` text,
	`last_event_id` integer NOT NULL,
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
CREATE INDEX `period_closings_payroll_group` ON `period_closings` (`payroll_group`);
--> statement-breakpoint
CREATE TABLE `log_seals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`size` integer NOT NULL,
	`last_event_id` integer NOT NULL,
	`created_at` text NOT NULL,
	`verifier_key` text NOT NULL,
	`checkpoint` text NOT NULL,
	`edge` blob NOT NULL,
	`leaves` blob NOT NULL,
	CONSTRAINT "log_seals_leaves" CHECK(length("log_seals"."leaves") BETWEEN 32 AND "log_seals"."size" * 32 AND length("log_seals"."leaves") % 32 = 0),
	CONSTRAINT "log_seals_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_seals"."created_at") IS "log_seals"."created_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_seals_size_unique` ON `log_seals` (`size`);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_seals_last_event_id_unique` ON `log_seals` (`last_event_id`);
--> statement-breakpoint
CREATE TABLE `log_seal_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`seal_id` integer NOT NULL,
	`token` blob NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`seal_id`) REFERENCES `log_seals`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_seal_tokens_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_seal_tokens"."created_at") IS "log_seal_tokens"."created_at")
);
--> statement-breakpoint
CREATE INDEX `log_seal_tokens_seal_id` ON `log_seal_tokens` (`seal_id`);
--> statement-breakpoint
-- Triggers, written by hand.
-- Incrementing a user's version ends every token, so the ids of single ones are no longer needed.
CREATE TRIGGER `users_delete_ended_tokens` AFTER UPDATE OF `token_version` ON `users`
WHEN NEW.`token_version` > OLD.`token_version`
BEGIN
	DELETE FROM `revoked_tokens` WHERE `user_id` = NEW.`id`;
END;
--> statement-breakpoint
-- A log gets its employee's columns, unless the statement gave them: that saves an update.
CREATE TRIGGER `attendance_logs_copy` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office`, `e`.`department`, `e`.`payroll_group`) <> (NEW.`branch_office`, NEW.`department`, NEW.`payroll_group`))
BEGIN
	UPDATE `attendance_logs` SET (`branch_office`, `department`, `payroll_group`) = (SELECT `branch_office`, `department`, `payroll_group` FROM `employees` WHERE `employee_id` = NEW.`employee_id`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- Whatever inserts a log leaves its first event: at once, or after the copy above.
CREATE TRIGGER `attendance_logs_record` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office`, `e`.`department`, `e`.`payroll_group`) = (NEW.`branch_office`, NEW.`department`, NEW.`payroll_group`))
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), 'import');
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_record_copied` AFTER UPDATE OF `branch_office`, `department`, `payroll_group` ON `attendance_logs`
WHEN NOT EXISTS (SELECT 1 FROM `log_events` WHERE `log_id` = NEW.`id`)
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), 'import');
END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without firing a delete trigger.
CREATE TRIGGER `attendance_logs_no_replace` BEFORE INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `attendance_logs` WHERE `id` = NEW.`id`) OR (NEW.`source_id` IS NOT NULL AND EXISTS (SELECT 1 FROM `attendance_logs` WHERE `source` = NEW.`source` AND `source_id` = NEW.`source_id`))
BEGIN
	SELECT RAISE(ABORT, 'attendance_logs are never replaced');
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_no_delete` BEFORE DELETE ON `attendance_logs`
BEGIN
	SELECT RAISE(ABORT, 'attendance_logs are never deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_facts` BEFORE UPDATE OF `id`, `employee_id`, `kind`, `recorded_at`, `source`, `source_id`, `branch_office`, `department`, `payroll_group`, `recorded_by`, `comment_id`, `created_at` ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `log_events` WHERE `log_id` = OLD.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the facts of attendance_logs never change');
END;
--> statement-breakpoint
-- The event stands first: a status without its event is rejected.
CREATE TRIGGER `attendance_logs_status_event` BEFORE UPDATE OF `status` ON `attendance_logs`
WHEN (SELECT `to_status` FROM `log_events` WHERE `log_id` = NEW.`id` ORDER BY `id` DESC LIMIT 1) IS NOT NEW.`status`
BEGIN
	SELECT RAISE(ABORT, 'attendance_logs change their status with an event only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_comments_no_update` BEFORE UPDATE ON `log_comments`
WHEN NEW.`comment` <> '' OR NEW.`salt` <> '' OR (NEW.`id`, NEW.`log_id`, NEW.`user_id`, NEW.`created_at`) <> (OLD.`id`, OLD.`log_id`, OLD.`user_id`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'log_comments is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_comments_no_delete` BEFORE DELETE ON `log_comments`
BEGIN
	SELECT RAISE(ABORT, 'log_comments is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_comments_no_replace` BEFORE INSERT ON `log_comments`
WHEN NEW.`comment` = '' OR EXISTS (SELECT 1 FROM `log_comments` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'log_comments is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_events_no_update` BEFORE UPDATE ON `log_events`
BEGIN
	SELECT RAISE(ABORT, 'log_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_events_no_delete` BEFORE DELETE ON `log_events`
BEGIN
	SELECT RAISE(ABORT, 'log_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_events_no_replace` BEFORE INSERT ON `log_events`
WHEN EXISTS (SELECT 1 FROM `log_events` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'log_events is append-only');
END;
--> statement-breakpoint
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
WHEN EXISTS (SELECT 1 FROM `period_closings` AS `c` WHERE `c`.`id` = max(coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` = OLD.`payroll_group`), 0), coalesce((SELECT max(`id`) FROM `period_closings` WHERE `payroll_group` IS NULL), 0)) AND OLD.`recorded_at` < `c`.`before_at` AND (SELECT `to_status` FROM `log_events` WHERE `log_id` = OLD.`id` AND `id` <= `c`.`last_event_id` ORDER BY `id` DESC LIMIT 1) <> 'pending')
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
--> statement-breakpoint
CREATE TRIGGER `log_seals_no_update` BEFORE UPDATE ON `log_seals`
BEGIN
	SELECT RAISE(ABORT, 'log_seals is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_seals_no_delete` BEFORE DELETE ON `log_seals`
BEGIN
	SELECT RAISE(ABORT, 'log_seals is append-only');
END;
--> statement-breakpoint
-- A seal covers more than the one before it: no other takes its place.
CREATE TRIGGER `log_seals_grow` BEFORE INSERT ON `log_seals`
WHEN EXISTS (SELECT 1 FROM `log_seals` WHERE `size` >= NEW.`size`) OR EXISTS (SELECT 1 FROM `log_seals` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `log_seals` WHERE `size` = (SELECT max(`size`) FROM `log_seals`) AND `last_event_id` >= NEW.`last_event_id`)
BEGIN
	SELECT RAISE(ABORT, 'log_seals is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_seal_tokens_no_update` BEFORE UPDATE ON `log_seal_tokens`
BEGIN
	SELECT RAISE(ABORT, 'log_seal_tokens is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_seal_tokens_no_delete` BEFORE DELETE ON `log_seal_tokens`
BEGIN
	SELECT RAISE(ABORT, 'log_seal_tokens is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_seal_tokens_no_replace` BEFORE INSERT ON `log_seal_tokens`
WHEN EXISTS (SELECT 1 FROM `log_seal_tokens` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'log_seal_tokens is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `erased_comments_no_update` BEFORE UPDATE ON `erased_comments`
BEGIN
	SELECT RAISE(ABORT, 'erased_comments is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `erased_comments_no_delete` BEFORE DELETE ON `erased_comments`
BEGIN
	SELECT RAISE(ABORT, 'erased_comments is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `erased_comments_no_replace` BEFORE INSERT ON `erased_comments`
WHEN EXISTS (SELECT 1 FROM `erased_comments` WHERE `comment_id` = NEW.`comment_id`)
BEGIN
	SELECT RAISE(ABORT, 'erased_comments is append-only');
END;
--> statement-breakpoint
-- The hash stands first: without it the sealed event could not be verified any more.
CREATE TRIGGER `log_comments_keep_hash` BEFORE UPDATE OF `comment` ON `log_comments`
WHEN NEW.`comment` = '' AND NEW.`salt` = '' AND (NEW.`id`, NEW.`log_id`, NEW.`user_id`, NEW.`created_at`) = (OLD.`id`, OLD.`log_id`, OLD.`user_id`, OLD.`created_at`) AND NOT EXISTS (SELECT 1 FROM `erased_comments` WHERE `comment_id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'log_comments are erased once their hash is kept');
END;
