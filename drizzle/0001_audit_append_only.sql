-- The audit is append-only. A table rebuild drops triggers: re-create these after a rebuild.
CREATE TRIGGER `log_audit_no_update` BEFORE UPDATE ON `log_audit`
BEGIN
	SELECT RAISE(ABORT, 'log_audit is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `log_audit_no_delete` BEFORE DELETE ON `log_audit`
BEGIN
	SELECT RAISE(ABORT, 'log_audit is append-only');
END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without firing a delete trigger.
CREATE TRIGGER `log_audit_no_replace` BEFORE INSERT ON `log_audit`
WHEN EXISTS (SELECT 1 FROM `log_audit` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'log_audit is append-only');
END;
