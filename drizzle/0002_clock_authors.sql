ALTER TABLE `clock_numbers` ADD `unconfirmed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clocks` ADD `added_by` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `clocks` ADD `confirmed_by` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `clocks` ADD `unconfirmed` text;--> statement-breakpoint
CREATE INDEX `log_events_source` ON `log_events` (`source`) WHERE event = 'ruled' AND source IS NOT NULL;--> statement-breakpoint
-- Only the confirmation of a number changes its row.
DROP TRIGGER `clock_numbers_no_update`;
--> statement-breakpoint
CREATE TRIGGER `clock_numbers_no_update` BEFORE UPDATE ON `clock_numbers`
WHEN NEW.`unconfirmed` <> 0
	OR (NEW.`id`, NEW.`serial`, NEW.`number`, NEW.`employee_id`, NEW.`valid_from`, NEW.`user_id`, NEW.`created_at`)
	IS NOT (OLD.`id`, OLD.`serial`, OLD.`number`, OLD.`employee_id`, OLD.`valid_from`, OLD.`user_id`, OLD.`created_at`)
BEGIN
	SELECT RAISE(ABORT, 'clock_numbers is append-only');
END;
