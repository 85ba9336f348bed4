CREATE TABLE `payroll_groups` (
	`name` text PRIMARY KEY NOT NULL,
	`calendar` text NOT NULL,
	`pays_from` text,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "payroll_groups_pays_from" CHECK(date("payroll_groups"."pays_from") IS "payroll_groups"."pays_from")
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
	`payroll_group` text DEFAULT '' NOT NULL,
	`ended_at` text,
	`paid_from` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`payroll_group`) REFERENCES `payroll_groups`(`name`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employees_employee_id" CHECK("employees"."employee_id" <> ''),
	CONSTRAINT "employees_started_at" CHECK(date("employees"."started_at") IS "employees"."started_at"),
	CONSTRAINT "employees_ended_at" CHECK(date("employees"."ended_at") IS "employees"."ended_at"),
	CONSTRAINT "employees_paid_from" CHECK(date("employees"."paid_from") IS "employees"."paid_from")
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
	`password_through` integer,
	`machine` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
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
CREATE TABLE `people_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`user_id` integer,
	`subject` text NOT NULL,
	`subject_id` text NOT NULL,
	`changes` text NOT NULL,
	`branches` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "people_changes_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "people_changes"."at") IS "people_changes"."at"),
	CONSTRAINT "people_changes_subject" CHECK("people_changes"."subject" IN ('employee', 'user', 'payroll_group')),
	CONSTRAINT "people_changes_changes" CHECK("people_changes"."changes" = '' OR json_valid("people_changes"."changes")),
	CONSTRAINT "people_changes_branches" CHECK("people_changes"."branches" IS NULL OR json_valid("people_changes"."branches"))
);
--> statement-breakpoint
CREATE INDEX `people_changes_subject` ON `people_changes` (`subject`,`subject_id`);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	`invited_by` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_expires_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "invitations"."expires_at") IS "invitations"."expires_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE TABLE `company` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	CONSTRAINT "company_id" CHECK("company"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `branch_zones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`branch_office` text,
	`valid_from` text DEFAULT '' NOT NULL,
	`time_zone` text NOT NULL,
	`user_id` integer,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "branch_zones_valid_from" CHECK("branch_zones"."valid_from" = '' OR date("branch_zones"."valid_from") IS "branch_zones"."valid_from"),
	CONSTRAINT "branch_zones_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "branch_zones"."created_at") IS "branch_zones"."created_at")
);
--> statement-breakpoint
CREATE TABLE `revoked_tokens` (
	`jti` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`exp` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "revoked_tokens_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "revoked_tokens"."created_at") IS "revoked_tokens"."created_at")
);
--> statement-breakpoint
CREATE INDEX `revoked_tokens_user_id` ON `revoked_tokens` (`user_id`);
--> statement-breakpoint
CREATE INDEX `revoked_tokens_exp` ON `revoked_tokens` (`exp`) WHERE exp IS NOT NULL;
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
CREATE TABLE `closings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`before` text NOT NULL,
	`payroll_group` text,
	`employee_id` text,
	`user_id` integer NOT NULL,
	`comment` text,
	`token` text NOT NULL,
	`last_event_id` integer NOT NULL,
	`closings_before` integer NOT NULL,
	`cancellations_before` integer NOT NULL,
	`created_at` text NOT NULL,
	`completed_at` text,
	`people` integer,
	`days` integer,
	`period_seconds` integer,
	`added_seconds` integer,
	`deducted_seconds` integer,
	`held_seconds` integer,
	`exceptions_left` integer,
	`pending` integer,
	`pending_of_period` integer,
	`unsynced` text,
	`hash` text,
	`cancelled_at` text,
	`cancelled_by` integer,
	`cancel_comment` text,
	`cancelled_after` integer,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cancelled_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "closings_before" CHECK(date("closings"."before") IS "closings"."before"),
	CONSTRAINT "closings_selection" CHECK("closings"."payroll_group" IS NULL OR "closings"."employee_id" IS NULL),
	CONSTRAINT "closings_comment" CHECK(length("closings"."comment") <= 500),
	CONSTRAINT "closings_cancel_comment" CHECK(length("closings"."cancel_comment") <= 500),
	CONSTRAINT "closings_hash" CHECK(("closings"."hash" IS NULL) = ("closings"."completed_at" IS NULL)),
	CONSTRAINT "closings_cancelled_at" CHECK(("closings"."cancelled_at" IS NULL) = ("closings"."cancelled_by" IS NULL)),
	CONSTRAINT "closings_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "closings"."created_at") IS "closings"."created_at")
);
--> statement-breakpoint
CREATE INDEX `closings_unfinished` ON `closings` (`id`) WHERE "closings"."completed_at" IS NULL;
--> statement-breakpoint
CREATE TABLE `log_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event` text NOT NULL,
	`log_id` integer,
	`closing_id` integer,
	`user_id` integer,
	`from_status` text,
	`to_status` text,
	`comment_id` integer,
	`created_at` text NOT NULL,
	`employee_id` text,
	`kind` text,
	`recorded_at` text,
	`source` text,
	`actor` text NOT NULL,
	`salt` text DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	`details` text,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`closing_id`) REFERENCES `closings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`comment_id`) REFERENCES `log_comments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "log_events_event" CHECK("log_events"."event" IN ('recorded', 'decided', 'closed', 'cancelled', 'agreed', 'signed', 'answered', 'access', 'ruled', 'shown')),
	CONSTRAINT "log_events_about" CHECK(CASE WHEN "log_events"."event" IN ('recorded', 'decided')
        THEN "log_events"."closing_id" IS NULL AND "log_events"."log_id" IS NOT NULL AND "log_events"."to_status" IS NOT NULL
          AND "log_events"."employee_id" IS NOT NULL AND "log_events"."kind" IS NOT NULL AND "log_events"."recorded_at" IS NOT NULL
          AND "log_events"."source" IS NOT NULL
        ELSE "log_events"."log_id" IS NULL
          AND ("log_events"."closing_id" IS NOT NULL) = ("log_events"."event" IN ('closed', 'cancelled', 'signed'))
          AND ("log_events"."employee_id" IS NOT NULL OR NOT "log_events"."event" IN ('agreed', 'signed', 'answered', 'access')) END),
	CONSTRAINT "log_events_from_status" CHECK(("log_events"."from_status" IS NOT NULL) = ("log_events"."event" = 'decided')
        AND ("log_events"."from_status" IS NULL OR "log_events"."from_status" IN ('pending', 'approved', 'rejected'))),
	CONSTRAINT "log_events_to_status" CHECK("log_events"."to_status" IS NULL OR "log_events"."to_status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "log_events_user_id" CHECK("log_events"."event" IN ('recorded', 'access', 'ruled') OR "log_events"."user_id" IS NOT NULL),
	CONSTRAINT "log_events_salt" CHECK(length("log_events"."salt") = 32),
	CONSTRAINT "log_events_details" CHECK(CASE WHEN "log_events"."event" IN ('recorded', 'decided', 'closed', 'cancelled')
        THEN "log_events"."details" IS NULL
        ELSE coalesce(json_valid("log_events"."details"), 0) END),
	CONSTRAINT "log_events_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "log_events"."created_at") IS "log_events"."created_at")
);
--> statement-breakpoint
CREATE INDEX `log_events_log_id` ON `log_events` (`log_id`);
--> statement-breakpoint
CREATE INDEX `log_events_employee_id` ON `log_events` (`employee_id`);
--> statement-breakpoint
CREATE INDEX `log_events_closing_id` ON `log_events` (`closing_id`) WHERE closing_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `log_events_person` ON `log_events` (`employee_id`) WHERE log_id IS NULL AND employee_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `log_events_shown` ON `log_events` (`user_id`,`created_at`) WHERE event = 'shown';
--> statement-breakpoint
CREATE INDEX `log_events_objections` ON `log_events` (`id`) WHERE event = 'signed' AND details ->> 'agrees' = 0;
--> statement-breakpoint
CREATE TABLE `agreements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`sha256` text NOT NULL,
	`valid_from` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "agreements_valid_from" CHECK(date("agreements"."valid_from") IS "agreements"."valid_from"),
	CONSTRAINT "agreements_sha256" CHECK(length("agreements"."sha256") = 64),
	CONSTRAINT "agreements_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "agreements"."created_at") IS "agreements"."created_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agreements_sha256_unique` ON `agreements` (`sha256`);
--> statement-breakpoint
CREATE TABLE `statements` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`salt` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `log_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "statements_text" CHECK((length("statements"."text") BETWEEN 1 AND 500 AND length("statements"."salt") = 32)
        OR ("statements"."text" = '' AND "statements"."salt" = ''))
);
--> statement-breakpoint
CREATE TABLE `intake_sources` (
	`source` text PRIMARY KEY NOT NULL,
	`complete_until` text,
	`last_seen_at` text NOT NULL,
	`retired_at` text,
	`label` text,
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
	`detail` text,
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
CREATE TABLE `employee_shifts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` text,
	`valid_from` text DEFAULT '' NOT NULL,
	`max_shift_hours` integer NOT NULL,
	`user_id` integer,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "employee_shifts_valid_from" CHECK("employee_shifts"."valid_from" = '' OR date("employee_shifts"."valid_from") IS "employee_shifts"."valid_from"),
	CONSTRAINT "employee_shifts_max_shift_hours" CHECK("employee_shifts"."max_shift_hours" BETWEEN 1 AND 36),
	CONSTRAINT "employee_shifts_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "employee_shifts"."created_at") IS "employee_shifts"."created_at")
);
--> statement-breakpoint
CREATE INDEX `employee_shifts_employee_id` ON `employee_shifts` (`employee_id`);
--> statement-breakpoint
CREATE TABLE `closing_people` (
	`closing_id` integer NOT NULL,
	`employee_id` text NOT NULL,
	`payroll_group` text NOT NULL,
	`branch_office` text NOT NULL,
	`first_day` text NOT NULL,
	`from_day` text,
	`end_at` text NOT NULL,
	`lock_at` text NOT NULL,
	`pending` integer NOT NULL,
	`pending_of_period` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`closing_id`, `employee_id`),
	FOREIGN KEY (`closing_id`) REFERENCES `closings`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "closing_people_end_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "closing_people"."end_at") IS "closing_people"."end_at"),
	CONSTRAINT "closing_people_lock_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "closing_people"."lock_at") IS "closing_people"."lock_at"),
	CONSTRAINT "closing_people_hash" CHECK(length("closing_people"."hash") = 64)
);
--> statement-breakpoint
CREATE INDEX `closing_people_employee_id` ON `closing_people` (`employee_id`,`lock_at`);
--> statement-breakpoint
CREATE INDEX `closing_people_from_day` ON `closing_people` (`employee_id`,`from_day`);
--> statement-breakpoint
CREATE TABLE `closing_lines` (
	`closing_id` integer NOT NULL,
	`employee_id` text NOT NULL,
	`day` text NOT NULL,
	`of_period` integer NOT NULL,
	`department` text NOT NULL,
	`branch_office` text NOT NULL,
	`first_in` text,
	`last_out` text,
	`pairs` integer NOT NULL,
	`worked_seconds` integer,
	`paid_before_seconds` integer NOT NULL,
	`difference_seconds` integer NOT NULL,
	`previous_closing_id` integer,
	`held_seconds` integer NOT NULL,
	`held_by` integer,
	`detail` text NOT NULL,
	`exceptions` text NOT NULL,
	`notices` text NOT NULL,
	`needs_look` integer NOT NULL,
	PRIMARY KEY(`closing_id`, `employee_id`, `day`),
	FOREIGN KEY (`closing_id`,`employee_id`) REFERENCES `closing_people`(`closing_id`,`employee_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "closing_lines_difference" CHECK(coalesce("closing_lines"."worked_seconds", 0) = "closing_lines"."paid_before_seconds" + "closing_lines"."difference_seconds")
);
--> statement-breakpoint
CREATE INDEX `closing_lines_employee_id` ON `closing_lines` (`employee_id`,`day`);
--> statement-breakpoint
CREATE TABLE `day_reviews` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`employee_id` text NOT NULL,
	`day` text NOT NULL,
	`comment` text,
	`confirmed_seconds` integer,
	`user_id` integer NOT NULL,
	`last_event_id` integer NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "day_reviews_day" CHECK(date("day_reviews"."day") IS "day_reviews"."day"),
	CONSTRAINT "day_reviews_comment" CHECK(length("day_reviews"."comment") <= 500),
	CONSTRAINT "day_reviews_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "day_reviews"."created_at") IS "day_reviews"."created_at")
);
--> statement-breakpoint
CREATE INDEX `day_reviews_employee_id` ON `day_reviews` (`employee_id`,`day`);
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
CREATE TABLE `notify_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_event_id` integer NOT NULL,
	`message_end` integer,
	`lease` text,
	`lease_until` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`error` text,
	`next_try_at` text,
	`sent_at` text,
	CONSTRAINT "notify_state_id" CHECK("notify_state"."id" = 1),
	CONSTRAINT "notify_state_message_end" CHECK("notify_state"."message_end" > "notify_state"."last_event_id"),
	CONSTRAINT "notify_state_failures" CHECK("notify_state"."failures" >= 0),
	CONSTRAINT "notify_state_lease" CHECK("notify_state"."lease" IS NULL OR ("notify_state"."lease_until" IS NOT NULL AND "notify_state"."message_end" IS NOT NULL)),
	CONSTRAINT "notify_state_lease_until" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "notify_state"."lease_until") IS "notify_state"."lease_until"),
	CONSTRAINT "notify_state_next_try_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "notify_state"."next_try_at") IS "notify_state"."next_try_at"),
	CONSTRAINT "notify_state_sent_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "notify_state"."sent_at") IS "notify_state"."sent_at")
);
--> statement-breakpoint
CREATE TABLE `clock_numbers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`serial` text NOT NULL,
	`number` text NOT NULL,
	`employee_id` text NOT NULL,
	`valid_from` text DEFAULT '' NOT NULL,
	`user_id` integer,
	`created_at` text NOT NULL,
	FOREIGN KEY (`employee_id`) REFERENCES `employees`(`employee_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "clock_numbers_valid_from" CHECK("clock_numbers"."valid_from" = '' OR date("clock_numbers"."valid_from") IS "clock_numbers"."valid_from"),
	CONSTRAINT "clock_numbers_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "clock_numbers"."created_at") IS "clock_numbers"."created_at")
);
--> statement-breakpoint
CREATE INDEX `clock_numbers_number` ON `clock_numbers` (`number`,`serial`);
--> statement-breakpoint
CREATE TABLE `clocks` (
	`serial` text PRIMARY KEY NOT NULL,
	`branch_office` text NOT NULL,
	`uses_keys` integer NOT NULL,
	`from_day` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`stamp` text,
	`resend` integer DEFAULT 0 NOT NULL,
	`receiving_since` text,
	`address` text,
	`called_at` text,
	`sent_from` text,
	`compared_change` integer DEFAULT 0 NOT NULL,
	`seconds_off` integer,
	CONSTRAINT "clocks_serial" CHECK("clocks"."serial" <> ''),
	CONSTRAINT "clocks_uses_keys" CHECK("clocks"."uses_keys" IN (0, 1)),
	CONSTRAINT "clocks_resend" CHECK("clocks"."resend" IN (0, 1)),
	CONSTRAINT "clocks_from_day" CHECK(date("clocks"."from_day") IS "clocks"."from_day"),
	CONSTRAINT "clocks_receiving_since" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "clocks"."receiving_since") IS "clocks"."receiving_since"),
	CONSTRAINT "clocks_called_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "clocks"."called_at") IS "clocks"."called_at")
);
--> statement-breakpoint
CREATE TABLE `other_network_logs` (
	`log_id` integer PRIMARY KEY NOT NULL,
	FOREIGN KEY (`log_id`) REFERENCES `attendance_logs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `unknown_clocks` (
	`serial` text PRIMARY KEY NOT NULL,
	`first_at` text NOT NULL,
	`last_at` text NOT NULL,
	`address` text NOT NULL,
	CONSTRAINT "unknown_clocks_first_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "unknown_clocks"."first_at") IS "unknown_clocks"."first_at"),
	CONSTRAINT "unknown_clocks_last_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "unknown_clocks"."last_at") IS "unknown_clocks"."last_at")
);
--> statement-breakpoint
CREATE TABLE `waiting_punches` (
	`serial` text NOT NULL,
	`number` text NOT NULL,
	`local_at` text NOT NULL,
	`kind` text NOT NULL,
	`recorded_at` text,
	`reason` text NOT NULL,
	`arrived_at` text NOT NULL,
	`user_id` integer,
	`other_network` integer DEFAULT 0 NOT NULL,
	`dismissed_at` text,
	`dismissed_by` integer,
	`dismissed_reason` text,
	PRIMARY KEY(`serial`, `number`, `local_at`),
	FOREIGN KEY (`serial`) REFERENCES `clocks`(`serial`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dismissed_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "waiting_punches_kind" CHECK("waiting_punches"."kind" IN ('entrada', 'salida', 'checada')),
	CONSTRAINT "waiting_punches_reason" CHECK("waiting_punches"."reason" IN ('number', 'branch', 'own', 'future', 'too_old', 'time')),
	CONSTRAINT "waiting_punches_recorded_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "waiting_punches"."recorded_at") IS "waiting_punches"."recorded_at"),
	CONSTRAINT "waiting_punches_arrived_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "waiting_punches"."arrived_at") IS "waiting_punches"."arrived_at"),
	CONSTRAINT "waiting_punches_other_network" CHECK("waiting_punches"."other_network" IN (0, 1)),
	CONSTRAINT "waiting_punches_dismissed_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "waiting_punches"."dismissed_at") IS "waiting_punches"."dismissed_at"),
	CONSTRAINT "waiting_punches_dismissed" CHECK(("waiting_punches"."dismissed_at" IS NULL) = ("waiting_punches"."dismissed_by" IS NULL)
        AND ("waiting_punches"."dismissed_at" IS NULL) = ("waiting_punches"."dismissed_reason" IS NULL))
);
--> statement-breakpoint
CREATE TABLE `push_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_event_id` integer NOT NULL,
	`sent_at` text,
	`error` text,
	CONSTRAINT "push_state_id" CHECK("push_state"."id" = 1),
	CONSTRAINT "push_state_sent_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "push_state"."sent_at") IS "push_state"."sent_at")
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`user_id` integer NOT NULL,
	`jti` text NOT NULL,
	`iat` integer NOT NULL,
	`exp` integer,
	`origin` text NOT NULL,
	`created_at` text NOT NULL,
	`news_event_id` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`news_event_id`) REFERENCES `log_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "push_subscriptions_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "push_subscriptions"."created_at") IS "push_subscriptions"."created_at")
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_user_id` ON `push_subscriptions` (`user_id`);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_jti` ON `push_subscriptions` (`jti`);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_news` ON `push_subscriptions` (`news_event_id`) WHERE news_event_id IS NOT NULL;
--> statement-breakpoint
-- Rows and triggers, written by hand.
INSERT INTO `payroll_groups` (`name`, `calendar`) VALUES ('', 'half month');
--> statement-breakpoint
INSERT INTO `company` (`id`) VALUES (1);
--> statement-breakpoint
INSERT INTO `branch_zones` (`time_zone`) VALUES ('America/Mexico_City');
--> statement-breakpoint
INSERT INTO `employee_shifts` (`max_shift_hours`) VALUES (16);
--> statement-breakpoint
-- Incrementing a user's version ends every token, so the ids of single ones are no longer needed.
CREATE TRIGGER `users_delete_ended_tokens` AFTER UPDATE OF `token_version` ON `users`
WHEN NEW.`token_version` > OLD.`token_version`
BEGIN
	DELETE FROM `revoked_tokens` WHERE `user_id` = NEW.`id`;
END;
--> statement-breakpoint
-- A phone gets messages only while the session that it belongs to lasts.
CREATE TRIGGER `users_delete_push` AFTER UPDATE OF `token_version`, `active`, `employee_id` ON `users`
WHEN NEW.`token_version` > OLD.`token_version` OR NEW.`active` <> OLD.`active` OR NEW.`employee_id` IS NOT OLD.`employee_id`
BEGIN
	DELETE FROM `push_subscriptions` WHERE `user_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `revoked_tokens_delete_push` AFTER INSERT ON `revoked_tokens`
WHEN EXISTS (SELECT 1 FROM `push_subscriptions` WHERE `jti` = NEW.`jti`)
BEGIN
	DELETE FROM `push_subscriptions` WHERE `jti` = NEW.`jti`;
END;
--> statement-breakpoint
-- A log gets its employee's columns, unless the statement gave them: that saves an update.
CREATE TRIGGER `attendance_logs_copy` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office`, `e`.`department`) <> (NEW.`branch_office`, NEW.`department`))
BEGIN
	UPDATE `attendance_logs` SET (`branch_office`, `department`) = (SELECT `branch_office`, `department` FROM `employees` WHERE `employee_id` = NEW.`employee_id`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- Whatever inserts a log leaves its first event: at once, or after the copy above.
CREATE TRIGGER `attendance_logs_record` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office`, `e`.`department`) = (NEW.`branch_office`, NEW.`department`))
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), iif(NEW.`source` GLOB 'clock *', 'clock', 'import'));
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_record_copied` AFTER UPDATE OF `branch_office`, `department` ON `attendance_logs`
WHEN NOT EXISTS (SELECT 1 FROM `log_events` WHERE `log_id` = NEW.`id`)
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), iif(NEW.`source` GLOB 'clock *', 'clock', 'import'));
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
CREATE TRIGGER `attendance_logs_facts` BEFORE UPDATE OF `id`, `employee_id`, `kind`, `recorded_at`, `source`, `source_id`, `branch_office`, `department`, `recorded_by`, `comment_id`, `created_at` ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `log_events` WHERE `log_id` = OLD.`id`)
BEGIN
	SELECT RAISE(ABORT, 'the facts of attendance_logs never change');
END;
--> statement-breakpoint
-- The event is inserted first. A change of status without its event is rejected.
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
--> statement-breakpoint
-- A log that arrives decided would change what was paid; pending ones may arrive at any time.
CREATE TRIGGER `attendance_logs_no_decided_in_closed` BEFORE INSERT ON `attendance_logs`
WHEN NEW.`status` <> 'pending' AND EXISTS (SELECT 1 FROM `closing_people` AS `p` JOIN `closings` AS `c` ON `c`.`id` = `p`.`closing_id` WHERE `p`.`employee_id` = NEW.`employee_id` AND `p`.`lock_at` > NEW.`recorded_at` AND `c`.`completed_at` IS NOT NULL AND `c`.`cancelled_at` IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'log:CLOSED');
END;
--> statement-breakpoint
CREATE TRIGGER `closings_no_update` BEFORE UPDATE ON `closings`
WHEN (NEW.`id`, NEW.`before`, NEW.`payroll_group`, NEW.`employee_id`, NEW.`user_id`, NEW.`token`, NEW.`last_event_id`, NEW.`closings_before`, NEW.`cancellations_before`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`before`, OLD.`payroll_group`, OLD.`employee_id`, OLD.`user_id`, OLD.`token`, OLD.`last_event_id`, OLD.`closings_before`, OLD.`cancellations_before`, OLD.`created_at`) OR (OLD.`completed_at` IS NOT NULL AND (NEW.`people`, NEW.`days`, NEW.`period_seconds`, NEW.`added_seconds`, NEW.`deducted_seconds`, NEW.`held_seconds`, NEW.`exceptions_left`, NEW.`pending`, NEW.`pending_of_period`, NEW.`unsynced`, NEW.`hash`, NEW.`completed_at`) IS NOT (OLD.`people`, OLD.`days`, OLD.`period_seconds`, OLD.`added_seconds`, OLD.`deducted_seconds`, OLD.`held_seconds`, OLD.`exceptions_left`, OLD.`pending`, OLD.`pending_of_period`, OLD.`unsynced`, OLD.`hash`, OLD.`completed_at`)) OR (OLD.`completed_at` IS NULL AND NEW.`cancelled_at` IS NOT NULL) OR (OLD.`cancelled_at` IS NOT NULL AND (NEW.`cancelled_at`, NEW.`cancelled_by`, NEW.`cancelled_after`) IS NOT (OLD.`cancelled_at`, OLD.`cancelled_by`, OLD.`cancelled_after`)) OR (NEW.`comment` IS NOT OLD.`comment` AND (NEW.`comment` IS NOT '' OR OLD.`employee_id` IS NULL)) OR (OLD.`cancelled_at` IS NOT NULL AND NEW.`cancel_comment` IS NOT OLD.`cancel_comment` AND (NEW.`cancel_comment` IS NOT '' OR OLD.`employee_id` IS NULL))
BEGIN
	SELECT RAISE(ABORT, 'closings is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closings_no_delete` BEFORE DELETE ON `closings`
WHEN OLD.`completed_at` IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closings is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closings_no_replace` BEFORE INSERT ON `closings`
WHEN EXISTS (SELECT 1 FROM `closings` WHERE `id` = NEW.`id`) OR NEW.`completed_at` IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closings is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_people_no_update` BEFORE UPDATE ON `closing_people`
BEGIN
	SELECT RAISE(ABORT, 'closing_people is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_people_no_delete` BEFORE DELETE ON `closing_people`
WHEN (SELECT `completed_at` FROM `closings` WHERE `id` = OLD.`closing_id`) IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closing_people is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_people_no_replace` BEFORE INSERT ON `closing_people`
WHEN EXISTS (SELECT 1 FROM `closing_people` WHERE `closing_id` = NEW.`closing_id` AND `employee_id` = NEW.`employee_id`) OR (SELECT `completed_at` FROM `closings` WHERE `id` = NEW.`closing_id`) IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closing_people is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_lines_no_update` BEFORE UPDATE ON `closing_lines`
BEGIN
	SELECT RAISE(ABORT, 'closing_lines is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_lines_no_delete` BEFORE DELETE ON `closing_lines`
WHEN (SELECT `completed_at` FROM `closings` WHERE `id` = OLD.`closing_id`) IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closing_lines is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `closing_lines_no_replace` BEFORE INSERT ON `closing_lines`
WHEN EXISTS (SELECT 1 FROM `closing_lines` WHERE `closing_id` = NEW.`closing_id` AND `employee_id` = NEW.`employee_id` AND `day` = NEW.`day`) OR (SELECT `completed_at` FROM `closings` WHERE `id` = NEW.`closing_id`) IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'closing_lines is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `day_reviews_no_update` BEFORE UPDATE ON `day_reviews`
WHEN NEW.`comment` IS NOT '' OR (NEW.`id`, NEW.`employee_id`, NEW.`day`, NEW.`confirmed_seconds`, NEW.`user_id`, NEW.`last_event_id`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`employee_id`, OLD.`day`, OLD.`confirmed_seconds`, OLD.`user_id`, OLD.`last_event_id`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'day_reviews is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `day_reviews_no_delete` BEFORE DELETE ON `day_reviews`
BEGIN
	SELECT RAISE(ABORT, 'day_reviews is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `day_reviews_no_replace` BEFORE INSERT ON `day_reviews`
WHEN EXISTS (SELECT 1 FROM `day_reviews` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'day_reviews is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `employee_shifts_no_update` BEFORE UPDATE ON `employee_shifts`
BEGIN
	SELECT RAISE(ABORT, 'employee_shifts is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `employee_shifts_no_delete` BEFORE DELETE ON `employee_shifts`
BEGIN
	SELECT RAISE(ABORT, 'employee_shifts is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `employee_shifts_no_replace` BEFORE INSERT ON `employee_shifts`
WHEN EXISTS (SELECT 1 FROM `employee_shifts` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'employee_shifts is append-only');
END;
--> statement-breakpoint
-- The record has each closing with its rules, and each cancellation.
CREATE TRIGGER `closings_record_closed` AFTER UPDATE OF `completed_at` ON `closings`
WHEN OLD.`completed_at` IS NULL AND NEW.`completed_at` IS NOT NULL
BEGIN
	INSERT INTO `log_events` (`event`, `closing_id`, `user_id`, `created_at`, `actor`) SELECT 'closed', NEW.`id`, NEW.`user_id`, NEW.`completed_at`, `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `closings_record_cancelled` AFTER UPDATE OF `cancelled_at` ON `closings`
WHEN OLD.`cancelled_at` IS NULL AND NEW.`cancelled_at` IS NOT NULL
BEGIN
	INSERT INTO `log_events` (`event`, `closing_id`, `user_id`, `created_at`, `actor`) SELECT 'cancelled', NEW.`id`, NEW.`cancelled_by`, NEW.`cancelled_at`, `actor_hash` FROM `users` WHERE `id` = NEW.`cancelled_by`;
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_update` BEFORE UPDATE ON `branch_zones`
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_delete` BEFORE DELETE ON `branch_zones`
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_replace` BEFORE INSERT ON `branch_zones`
WHEN EXISTS (SELECT 1 FROM `branch_zones` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
--> statement-breakpoint
-- A second row, or an INSERT OR REPLACE, would forget how far the receiver is.
CREATE TRIGGER `notify_state_no_replace` BEFORE INSERT ON `notify_state`
WHEN EXISTS (SELECT 1 FROM `notify_state`)
BEGIN
	SELECT RAISE(ABORT, 'notify_state has one row, which stays');
END;
--> statement-breakpoint
CREATE TRIGGER `notify_state_no_delete` BEFORE DELETE ON `notify_state`
BEGIN
	SELECT RAISE(ABORT, 'notify_state has one row, which stays');
END;
--> statement-breakpoint
-- Past the newest event it would leave out decisions that are still to come.
CREATE TRIGGER `notify_state_no_future` BEFORE UPDATE OF `last_event_id` ON `notify_state`
WHEN NEW.`last_event_id` > (SELECT coalesce(max(`id`), 0) FROM `log_events`)
BEGIN
	SELECT RAISE(ABORT, 'notify_state never passes the newest of log_events');
END;
--> statement-breakpoint
CREATE TRIGGER `people_changes_no_update` BEFORE UPDATE ON `people_changes`
WHEN NEW.`changes` <> '' OR OLD.`changes` = ''
	OR (NEW.`id`, NEW.`at`, NEW.`user_id`, NEW.`subject`, NEW.`subject_id`, NEW.`branches`)
	IS NOT (OLD.`id`, OLD.`at`, OLD.`user_id`, OLD.`subject`, OLD.`subject_id`, OLD.`branches`)
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
		NEW.`payroll_group`, NEW.`ended_at`, NEW.`paid_from`)
	IS NOT (OLD.`employee_id`, OLD.`full_name`, OLD.`rfc`, OLD.`phone`, OLD.`cellphone`, OLD.`started_at`,
		OLD.`job_position`, OLD.`department`, OLD.`branch_office`, OLD.`profile_image`,
		OLD.`payroll_group`, OLD.`ended_at`, OLD.`paid_from`)
BEGIN
	UPDATE `employees` SET `version` = OLD.`version` + 1 WHERE `employee_id` = NEW.`employee_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `users_version` AFTER UPDATE ON `users`
WHEN NEW.`version` = OLD.`version`
	AND (NEW.`email`, NEW.`first_name`, NEW.`last_name`, NEW.`mother_last_name`, NEW.`role`, NEW.`active`,
		NEW.`machine`, NEW.`employee_id`, NEW.`scope_branches`, NEW.`sources`)
	IS NOT (OLD.`email`, OLD.`first_name`, OLD.`last_name`, OLD.`mother_last_name`, OLD.`role`, OLD.`active`,
		OLD.`machine`, OLD.`employee_id`, OLD.`scope_branches`, OLD.`sources`)
BEGIN
	UPDATE `users` SET `version` = OLD.`version` + 1 WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- The record has who could sign in as a person: each link, password and change of the employee.
-- While a link is used, it is still stored. `through` names the event of that link.
CREATE TRIGGER `people_changes_record` AFTER INSERT ON `people_changes`
WHEN NEW.`subject` = 'user' AND json_valid(NEW.`changes`)
BEGIN
	INSERT INTO `log_events` (`event`, `user_id`, `created_at`, `employee_id`, `actor`, `details`)
	SELECT 'access', NEW.`user_id`, NEW.`at`, `access`.`employee_id`,
		coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`), 'operator'),
		json_object('account', CAST(NEW.`subject_id` AS INTEGER),
			'through', CASE WHEN `access`.`what` = 'password_set'
				AND EXISTS (SELECT 1 FROM `invitations` WHERE `user_id` = CAST(NEW.`subject_id` AS INTEGER))
				THEN (SELECT max(`invited`.`id`) FROM `log_events` AS `invited` INDEXED BY `log_events_person`
					WHERE `invited`.`employee_id` = `access`.`employee_id` AND `invited`.`log_id` IS NULL
						AND `invited`.`event` = 'access' AND `invited`.`details` ->> 'what' = 'invited'
						AND `invited`.`details` ->> 'account' = CAST(NEW.`subject_id` AS INTEGER)) END,
			'what', `access`.`what`)
	FROM (
		SELECT 0 AS `step`, 'unlinked' AS `what`, `value` ->> 'before' AS `employee_id`
			FROM json_each(NEW.`changes`) WHERE `value` ->> 'field' = 'employee_id'
		UNION ALL SELECT 1, 'linked', `value` ->> 'after'
			FROM json_each(NEW.`changes`) WHERE `value` ->> 'field' = 'employee_id'
		UNION ALL SELECT 2, iif(`value` ->> 'field' = 'invitation', 'invited', 'password_set'),
			(SELECT `employee_id` FROM `users` WHERE `id` = CAST(NEW.`subject_id` AS INTEGER))
			FROM json_each(NEW.`changes`) WHERE `value` ->> 'field' IN ('invitation', 'password_set')
	) AS `access`
	WHERE `access`.`employee_id` IS NOT NULL ORDER BY `access`.`step`;
END;
--> statement-breakpoint
-- The record has the rules of people and branches by which hours are counted.
CREATE TRIGGER `employee_shifts_record` AFTER INSERT ON `employee_shifts`
BEGIN
	INSERT INTO `log_events` (`event`, `user_id`, `created_at`, `employee_id`, `actor`, `details`)
	VALUES ('ruled', NEW.`user_id`, NEW.`created_at`, NEW.`employee_id`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`), 'operator'),
		json_object('branch', NULL, 'rule', 'shift', 'valid_from', nullif(NEW.`valid_from`, ''), 'value', CAST(NEW.`max_shift_hours` AS TEXT)));
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_record` AFTER INSERT ON `branch_zones`
BEGIN
	INSERT INTO `log_events` (`event`, `user_id`, `created_at`, `employee_id`, `actor`, `details`)
	VALUES ('ruled', NEW.`user_id`, NEW.`created_at`, NULL, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`), 'operator'),
		json_object('branch', NEW.`branch_office`, 'rule', 'zone', 'valid_from', nullif(NEW.`valid_from`, ''), 'value', NEW.`time_zone`));
END;
--> statement-breakpoint
CREATE TRIGGER `clock_numbers_no_update` BEFORE UPDATE ON `clock_numbers`
BEGIN
	SELECT RAISE(ABORT, 'clock_numbers is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `clock_numbers_no_delete` BEFORE DELETE ON `clock_numbers`
BEGIN
	SELECT RAISE(ABORT, 'clock_numbers is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `clock_numbers_no_replace` BEFORE INSERT ON `clock_numbers`
WHEN EXISTS (SELECT 1 FROM `clock_numbers` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'clock_numbers is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `other_network_logs_no_update` BEFORE UPDATE ON `other_network_logs`
BEGIN
	SELECT RAISE(ABORT, 'other_network_logs is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `other_network_logs_no_delete` BEFORE DELETE ON `other_network_logs`
BEGIN
	SELECT RAISE(ABORT, 'other_network_logs is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `other_network_logs_no_replace` BEFORE INSERT ON `other_network_logs`
WHEN EXISTS (SELECT 1 FROM `other_network_logs` WHERE `log_id` = NEW.`log_id`)
BEGIN
	SELECT RAISE(ABORT, 'other_network_logs is append-only');
END;
--> statement-breakpoint
-- The record has whose number a clock sends. A number that was found has the actor `clock`.
CREATE TRIGGER `clock_numbers_record` AFTER INSERT ON `clock_numbers`
BEGIN
	INSERT INTO `log_events` (`event`, `user_id`, `created_at`, `employee_id`, `actor`, `details`)
	VALUES ('ruled', NEW.`user_id`, NEW.`created_at`, NEW.`employee_id`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`), 'clock'),
		json_object('branch', NULL, 'rule', 'number', 'valid_from', nullif(NEW.`valid_from`, ''), 'value', lower(NEW.`serial`) || char(9) || NEW.`number`));
END;
--> statement-breakpoint
CREATE TRIGGER `agreements_no_update` BEFORE UPDATE ON `agreements`
BEGIN
	SELECT RAISE(ABORT, 'agreements is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `agreements_no_delete` BEFORE DELETE ON `agreements`
BEGIN
	SELECT RAISE(ABORT, 'agreements is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `agreements_no_replace` BEFORE INSERT ON `agreements`
WHEN EXISTS (SELECT 1 FROM `agreements` WHERE `id` = NEW.`id` OR `sha256` = NEW.`sha256`)
BEGIN
	SELECT RAISE(ABORT, 'agreements is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `statements_no_update` BEFORE UPDATE ON `statements`
WHEN NEW.`text` <> '' OR NEW.`salt` <> '' OR NEW.`event_id` <> OLD.`event_id`
BEGIN
	SELECT RAISE(ABORT, 'statements is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `statements_no_delete` BEFORE DELETE ON `statements`
BEGIN
	SELECT RAISE(ABORT, 'statements is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `statements_no_replace` BEFORE INSERT ON `statements`
WHEN NEW.`text` = '' OR EXISTS (SELECT 1 FROM `statements` WHERE `event_id` = NEW.`event_id`)
BEGIN
	SELECT RAISE(ABORT, 'statements is append-only');
END;
--> statement-breakpoint
-- People agree only to a text that is stored.
CREATE TRIGGER `log_events_agreed` BEFORE INSERT ON `log_events`
WHEN NEW.`event` = 'agreed' AND NOT EXISTS (SELECT 1 FROM `agreements` WHERE `sha256` = NEW.`details` ->> 'agreement')
BEGIN
	SELECT RAISE(ABORT, 'log_events has agreements to stored texts only');
END;
--> statement-breakpoint
-- Any other moment would make the whole evidence unreadable, since no event can be changed.
CREATE TRIGGER `log_events_shown_moments` BEFORE INSERT ON `log_events`
WHEN NEW.`event` = 'shown' AND EXISTS (SELECT 1 FROM json_each(json_array(
	nullif(NEW.`details` ->> 'from', ''), nullif(NEW.`details` ->> 'before', ':')))
	WHERE `value` IS NOT NULL AND strftime('%Y-%m-%dT%H:%M:%fZ', `value`) IS NOT `value`)
BEGIN
	SELECT RAISE(ABORT, 'log_events has stored moments only');
END;
--> statement-breakpoint
-- A person signs the own lines of an active closing, as they are stored.
CREATE TRIGGER `log_events_signed` BEFORE INSERT ON `log_events`
WHEN NEW.`event` = 'signed' AND NOT EXISTS (SELECT 1 FROM `closing_people` AS `person` JOIN `closings` AS `closing` ON `closing`.`id` = `person`.`closing_id` WHERE `person`.`closing_id` = NEW.`closing_id` AND `person`.`employee_id` = NEW.`employee_id` AND `person`.`hash` = NEW.`details` ->> 'own_lines' AND `closing`.`completed_at` IS NOT NULL AND `closing`.`cancelled_at` IS NULL AND EXISTS (SELECT 1 FROM `closing_lines` AS `line` WHERE `line`.`closing_id` = `person`.`closing_id` AND `line`.`employee_id` = `person`.`employee_id`))
BEGIN
	SELECT RAISE(ABORT, 'error:SIGNATURE_OUTDATED');
END;
--> statement-breakpoint
-- The record goes on to name the employee.
CREATE TRIGGER `employees_no_delete` BEFORE DELETE ON `employees`
WHEN EXISTS (SELECT 1 FROM `log_events` WHERE `employee_id` = OLD.`employee_id`)
BEGIN
	SELECT RAISE(ABORT, 'error:EMPLOYEE_IN_USE');
END;
