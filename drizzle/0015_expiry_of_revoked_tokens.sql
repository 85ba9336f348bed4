ALTER TABLE `revoked_tokens` ADD `exp` integer;
--> statement-breakpoint
CREATE INDEX `revoked_tokens_exp` ON `revoked_tokens` (`exp`) WHERE exp IS NOT NULL;
--> statement-breakpoint
-- Comments of acts on one person are erased when the person is forgotten. Nothing else may change.
DROP TRIGGER `closings_no_update`;
--> statement-breakpoint
CREATE TRIGGER `closings_no_update` BEFORE UPDATE ON `closings`
WHEN (NEW.`id`, NEW.`before`, NEW.`payroll_group`, NEW.`employee_id`, NEW.`user_id`, NEW.`token`, NEW.`last_event_id`, NEW.`closings_before`, NEW.`cancellations_before`, NEW.`unlocks_before`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`before`, OLD.`payroll_group`, OLD.`employee_id`, OLD.`user_id`, OLD.`token`, OLD.`last_event_id`, OLD.`closings_before`, OLD.`cancellations_before`, OLD.`unlocks_before`, OLD.`created_at`) OR (OLD.`completed_at` IS NOT NULL AND (NEW.`people`, NEW.`days`, NEW.`period_seconds`, NEW.`added_seconds`, NEW.`deducted_seconds`, NEW.`held_seconds`, NEW.`exceptions_left`, NEW.`pending`, NEW.`pending_of_period`, NEW.`unsynced`, NEW.`hash`, NEW.`completed_at`) IS NOT (OLD.`people`, OLD.`days`, OLD.`period_seconds`, OLD.`added_seconds`, OLD.`deducted_seconds`, OLD.`held_seconds`, OLD.`exceptions_left`, OLD.`pending`, OLD.`pending_of_period`, OLD.`unsynced`, OLD.`hash`, OLD.`completed_at`)) OR (OLD.`completed_at` IS NULL AND NEW.`cancelled_at` IS NOT NULL) OR (OLD.`cancelled_at` IS NOT NULL AND (NEW.`cancelled_at`, NEW.`cancelled_by`, NEW.`cancelled_after`) IS NOT (OLD.`cancelled_at`, OLD.`cancelled_by`, OLD.`cancelled_after`)) OR (NEW.`comment` IS NOT OLD.`comment` AND (NEW.`comment` IS NOT '' OR OLD.`employee_id` IS NULL)) OR (OLD.`cancelled_at` IS NOT NULL AND NEW.`cancel_comment` IS NOT OLD.`cancel_comment` AND (NEW.`cancel_comment` IS NOT '' OR OLD.`employee_id` IS NULL))
BEGIN
	SELECT RAISE(ABORT, 'closings is append-only');
END;
--> statement-breakpoint
DROP TRIGGER `unlocks_no_update`;
--> statement-breakpoint
CREATE TRIGGER `unlocks_no_update` BEFORE UPDATE ON `unlocks`
WHEN NEW.`comment` IS NOT '' OR OLD.`employee_id` IS NULL OR (NEW.`id`, NEW.`payroll_group`, NEW.`employee_id`, NEW.`from_day`, NEW.`to_day`, NEW.`user_id`, NEW.`closings_before`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`payroll_group`, OLD.`employee_id`, OLD.`from_day`, OLD.`to_day`, OLD.`user_id`, OLD.`closings_before`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'unlocks is append-only');
END;
--> statement-breakpoint
DROP TRIGGER `openings_no_update`;
--> statement-breakpoint
CREATE TRIGGER `openings_no_update` BEFORE UPDATE ON `openings`
WHEN NEW.`comment` IS NOT '' OR (NEW.`id`, NEW.`employee_id`, NEW.`first_day`, NEW.`user_id`, NEW.`closings_before`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`employee_id`, OLD.`first_day`, OLD.`user_id`, OLD.`closings_before`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'openings is append-only');
END;
--> statement-breakpoint
DROP TRIGGER `day_reviews_no_update`;
--> statement-breakpoint
CREATE TRIGGER `day_reviews_no_update` BEFORE UPDATE ON `day_reviews`
WHEN NEW.`comment` IS NOT '' OR (NEW.`id`, NEW.`employee_id`, NEW.`day`, NEW.`user_id`, NEW.`last_event_id`, NEW.`created_at`) IS NOT (OLD.`id`, OLD.`employee_id`, OLD.`day`, OLD.`user_id`, OLD.`last_event_id`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'day_reviews is append-only');
END;
