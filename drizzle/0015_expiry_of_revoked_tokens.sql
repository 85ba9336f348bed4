ALTER TABLE `revoked_tokens` ADD `exp` integer;--> statement-breakpoint
CREATE INDEX `revoked_tokens_exp` ON `revoked_tokens` (`exp`) WHERE exp IS NOT NULL;