CREATE TABLE `invitations` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_expires_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "invitations"."expires_at") IS "invitations"."expires_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
ALTER TABLE `users` ADD `machine` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `users_version` AFTER UPDATE ON `users`
WHEN NEW.`version` = OLD.`version`
	AND (NEW.`email`, NEW.`first_name`, NEW.`last_name`, NEW.`mother_last_name`, NEW.`role`, NEW.`active`,
		NEW.`machine`, NEW.`employee_id`, NEW.`scope_branches`, NEW.`sources`)
	IS NOT (OLD.`email`, OLD.`first_name`, OLD.`last_name`, OLD.`mother_last_name`, OLD.`role`, OLD.`active`,
		OLD.`machine`, OLD.`employee_id`, OLD.`scope_branches`, OLD.`sources`)
BEGIN
	UPDATE `users` SET `version` = OLD.`version` + 1 WHERE `id` = NEW.`id`;
END;
