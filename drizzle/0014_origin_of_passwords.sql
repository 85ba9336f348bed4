-- Open links have no known author, so they end.
DROP TABLE `invitations`;
--> statement-breakpoint
CREATE TABLE `invitations` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` text NOT NULL,
	`invited_by` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_expires_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "invitations"."expires_at") IS "invitations"."expires_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
ALTER TABLE `users` ADD `password_through` integer;
