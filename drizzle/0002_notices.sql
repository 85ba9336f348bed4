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
