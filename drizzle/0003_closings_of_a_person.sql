CREATE INDEX `log_events_closing_id` ON `log_events` (`closing_id`) WHERE closing_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `closing_people` DROP COLUMN `sin_checadas`;