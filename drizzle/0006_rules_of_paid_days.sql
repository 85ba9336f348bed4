ALTER TABLE `closings` ADD `rules` text;
--> statement-breakpoint
CREATE TRIGGER `closings_rules_no_update` BEFORE UPDATE ON `closings`
WHEN OLD.`rules` IS NOT NULL AND NEW.`rules` IS NOT OLD.`rules`
BEGIN
	SELECT RAISE(ABORT, 'closings is append-only');
END;
