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
CREATE UNIQUE INDEX `agreements_sha256_unique` ON `agreements` (`sha256`);--> statement-breakpoint
CREATE TABLE `statements` (
	`event_id` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`salt` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `log_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "statements_text" CHECK((length("statements"."text") BETWEEN 1 AND 500 AND length("statements"."salt") = 32)
        OR ("statements"."text" = '' AND "statements"."salt" = ''))
);
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
--> statement-breakpoint
CREATE INDEX `log_events_objections` ON `log_events` (`id`) WHERE event = 'signed' AND details ->> 'agrees' = 0;
