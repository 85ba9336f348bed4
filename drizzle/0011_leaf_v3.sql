-- log_events is rebuilt, because SQLite cannot change a check. A table cannot be renamed while a
-- trigger names one that does not exist, so the triggers that name log_events are made again.
--> statement-breakpoint
DROP TRIGGER `attendance_logs_record`;
--> statement-breakpoint
DROP TRIGGER `attendance_logs_record_copied`;
--> statement-breakpoint
DROP TRIGGER `attendance_logs_facts`;
--> statement-breakpoint
DROP TRIGGER `attendance_logs_status_event`;
--> statement-breakpoint
DROP TRIGGER `attendance_logs_locked`;
--> statement-breakpoint
DROP TRIGGER `closings_record_closed`;
--> statement-breakpoint
DROP TRIGGER `closings_record_cancelled`;
--> statement-breakpoint
DROP TRIGGER `notify_state_no_future`;
--> statement-breakpoint
CREATE TABLE `__new_log_events` (
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
	CONSTRAINT "log_events_event" CHECK("__new_log_events"."event" IN ('recorded', 'decided', 'closed', 'cancelled', 'agreed', 'signed', 'answered', 'access', 'ruled')),
	CONSTRAINT "log_events_about" CHECK(CASE WHEN "__new_log_events"."event" IN ('recorded', 'decided')
        THEN "__new_log_events"."closing_id" IS NULL AND "__new_log_events"."log_id" IS NOT NULL AND "__new_log_events"."to_status" IS NOT NULL
          AND "__new_log_events"."employee_id" IS NOT NULL AND "__new_log_events"."kind" IS NOT NULL AND "__new_log_events"."recorded_at" IS NOT NULL
          AND "__new_log_events"."source" IS NOT NULL
        ELSE "__new_log_events"."log_id" IS NULL
          AND ("__new_log_events"."closing_id" IS NOT NULL) = ("__new_log_events"."event" IN ('closed', 'cancelled', 'signed'))
          AND ("__new_log_events"."employee_id" IS NOT NULL OR NOT "__new_log_events"."event" IN ('agreed', 'signed', 'answered', 'access')) END),
	CONSTRAINT "log_events_from_status" CHECK(("__new_log_events"."from_status" IS NOT NULL) = ("__new_log_events"."event" = 'decided')
        AND ("__new_log_events"."from_status" IS NULL OR "__new_log_events"."from_status" IN ('pending', 'approved', 'rejected'))),
	CONSTRAINT "log_events_to_status" CHECK("__new_log_events"."to_status" IS NULL OR "__new_log_events"."to_status" IN ('pending', 'approved', 'rejected')),
	CONSTRAINT "log_events_user_id" CHECK("__new_log_events"."event" IN ('recorded', 'access', 'ruled') OR "__new_log_events"."user_id" IS NOT NULL),
	CONSTRAINT "log_events_salt" CHECK(length("__new_log_events"."salt") = 32),
	CONSTRAINT "log_events_details" CHECK(CASE WHEN "__new_log_events"."event" IN ('recorded', 'decided', 'closed', 'cancelled')
        THEN "__new_log_events"."details" IS NULL OR ("__new_log_events"."event" = 'closed' AND json_valid("__new_log_events"."details"))
        ELSE coalesce(json_valid("__new_log_events"."details"), 0) END),
	CONSTRAINT "log_events_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "__new_log_events"."created_at") IS "__new_log_events"."created_at")
);
--> statement-breakpoint
INSERT INTO `__new_log_events` (`id`, `event`, `log_id`, `closing_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`, `salt`) SELECT `id`, `event`, `log_id`, `closing_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`, `salt` FROM `log_events` ORDER BY `id`;
--> statement-breakpoint
DROP TABLE `log_events`;
--> statement-breakpoint
ALTER TABLE `__new_log_events` RENAME TO `log_events`;
--> statement-breakpoint
CREATE INDEX `log_events_log_id` ON `log_events` (`log_id`);
--> statement-breakpoint
CREATE INDEX `log_events_employee_id` ON `log_events` (`employee_id`);
--> statement-breakpoint
CREATE INDEX `log_events_closing_id` ON `log_events` (`closing_id`) WHERE closing_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `log_events_person` ON `log_events` (`employee_id`) WHERE log_id IS NULL AND employee_id IS NOT NULL;
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
-- Whatever inserts a log leaves its first event: at once, or after the copy above.
CREATE TRIGGER `attendance_logs_record` AFTER INSERT ON `attendance_logs`
WHEN EXISTS (SELECT 1 FROM `employees` AS `e` WHERE `e`.`employee_id` = NEW.`employee_id` AND (`e`.`branch_office`, `e`.`department`) = (NEW.`branch_office`, NEW.`department`))
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), 'import');
END;
--> statement-breakpoint
CREATE TRIGGER `attendance_logs_record_copied` AFTER UPDATE OF `branch_office`, `department` ON `attendance_logs`
WHEN NOT EXISTS (SELECT 1 FROM `log_events` WHERE `log_id` = NEW.`id`)
BEGIN
	INSERT INTO `log_events` (`event`, `log_id`, `user_id`, `from_status`, `to_status`, `comment_id`, `created_at`, `employee_id`, `kind`, `recorded_at`, `source`, `actor`) SELECT 'recorded', NEW.`id`, NEW.`recorded_by`, NULL, NEW.`status`, NEW.`comment_id`, NEW.`created_at`, NEW.`employee_id`, NEW.`kind`, NEW.`recorded_at`, NEW.`source`, coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`recorded_by`), 'import');
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
-- A log that a closing has seen decided, and that lies before that person's lock in it. The event of
-- this change stands already: the one before it counts.
CREATE TRIGGER `attendance_logs_locked` BEFORE UPDATE OF `status` ON `attendance_logs`
WHEN OLD.`status` <> 'pending' AND EXISTS (SELECT 1 FROM `closing_people` AS `p` JOIN `closings` AS `c` ON `c`.`id` = `p`.`closing_id` WHERE `p`.`employee_id` = OLD.`employee_id` AND `p`.`lock_at` > OLD.`recorded_at` AND `c`.`completed_at` IS NOT NULL AND `c`.`cancelled_at` IS NULL AND `c`.`last_event_id` >= (SELECT `id` FROM `log_events` WHERE `log_id` = OLD.`id` ORDER BY `id` DESC LIMIT 1 OFFSET 1) AND NOT EXISTS (SELECT 1 FROM `unlock_people` AS `u` JOIN `unlocks` ON `unlocks`.`id` = `u`.`unlock_id` WHERE `u`.`employee_id` = OLD.`employee_id` AND `u`.`until_at` > OLD.`recorded_at` AND `u`.`from_at` <= OLD.`recorded_at` AND `unlocks`.`closings_before` >= `c`.`id`))
BEGIN
	SELECT RAISE(ABORT, 'log:CLOSED');
END;
--> statement-breakpoint
-- The record has each closing with its rules, and each cancellation.
CREATE TRIGGER `closings_record_closed` AFTER UPDATE OF `completed_at` ON `closings`
WHEN OLD.`completed_at` IS NULL AND NEW.`completed_at` IS NOT NULL
BEGIN
	INSERT INTO `log_events` (`event`, `closing_id`, `user_id`, `created_at`, `actor`, `details`) SELECT 'closed', NEW.`id`, NEW.`user_id`, NEW.`completed_at`, `actor_hash`, NEW.`rules` FROM `users` WHERE `id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `closings_record_cancelled` AFTER UPDATE OF `cancelled_at` ON `closings`
WHEN OLD.`cancelled_at` IS NULL AND NEW.`cancelled_at` IS NOT NULL
BEGIN
	INSERT INTO `log_events` (`event`, `closing_id`, `user_id`, `created_at`, `actor`) SELECT 'cancelled', NEW.`id`, NEW.`cancelled_by`, NEW.`cancelled_at`, `actor_hash` FROM `users` WHERE `id` = NEW.`cancelled_by`;
END;
--> statement-breakpoint
-- Past the newest event it would leave out decisions that are still to come.
CREATE TRIGGER `notify_state_no_future` BEFORE UPDATE OF `last_event_id` ON `notify_state`
WHEN NEW.`last_event_id` > (SELECT coalesce(max(`id`), 0) FROM `log_events`)
BEGIN
	SELECT RAISE(ABORT, 'notify_state never passes the newest of log_events');
END;
--> statement-breakpoint
ALTER TABLE `log_seals` ADD `leaf_version` integer DEFAULT 2 NOT NULL CONSTRAINT "log_seals_leaf_version" CHECK (leaf_version IN (2, 3));
--> statement-breakpoint
-- Leaves of version 2 cannot contain the new kinds of events. Such events stay unsealed until code
-- seals them with version 3.
CREATE TRIGGER `log_seals_leaf_version` BEFORE INSERT ON `log_seals`
WHEN NEW.`leaf_version` = 2 AND EXISTS (SELECT 1 FROM `log_events` WHERE `id` > (SELECT coalesce(max(`last_event_id`), 0) FROM `log_seals`) AND `id` <= NEW.`last_event_id` AND `event` NOT IN ('recorded', 'decided', 'closed', 'cancelled'))
BEGIN
	SELECT RAISE(ABORT, 'log_seals of version 2 cover no newer events');
END;
--> statement-breakpoint
-- The record has who could sign in as a person: each link, password and change of the employee.
CREATE TRIGGER `people_changes_record` AFTER INSERT ON `people_changes`
WHEN NEW.`subject` = 'user' AND json_valid(NEW.`changes`)
BEGIN
	INSERT INTO `log_events` (`event`, `user_id`, `created_at`, `employee_id`, `actor`, `details`)
	SELECT 'access', NEW.`user_id`, NEW.`at`, `access`.`employee_id`,
		coalesce((SELECT `actor_hash` FROM `users` WHERE `id` = NEW.`user_id`), 'operator'),
		json_object('what', `access`.`what`)
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
	INSERT INTO `log_events` (`event`, `created_at`, `employee_id`, `actor`, `details`)
	VALUES ('ruled', NEW.`created_at`, NEW.`employee_id`, 'operator', json_object('branch', NULL, 'rule', 'shift', 'valid_from', nullif(NEW.`valid_from`, ''), 'value', CAST(NEW.`max_shift_hours` AS TEXT)));
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_record` AFTER INSERT ON `branch_zones`
BEGIN
	INSERT INTO `log_events` (`event`, `created_at`, `employee_id`, `actor`, `details`)
	VALUES ('ruled', NEW.`created_at`, NULL, 'operator', json_object('branch', NEW.`branch_office`, 'rule', 'zone', 'valid_from', nullif(NEW.`valid_from`, ''), 'value', NEW.`time_zone`));
END;
