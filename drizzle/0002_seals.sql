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
	`last_audit_id` integer NOT NULL,
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
CREATE UNIQUE INDEX `log_seals_last_audit_id_unique` ON `log_seals` (`last_audit_id`);
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
-- Triggers, written by hand: a table rebuild drops them, so re-create a table's after a rebuild.
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
WHEN EXISTS (SELECT 1 FROM `log_seals` WHERE `size` >= NEW.`size`) OR EXISTS (SELECT 1 FROM `log_seals` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `log_seals` WHERE `size` = (SELECT max(`size`) FROM `log_seals`) AND `last_audit_id` >= NEW.`last_audit_id`)
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
