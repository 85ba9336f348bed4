ALTER TABLE `closing_lines` ADD `spans` text;--> statement-breakpoint
ALTER TABLE `closing_lines` ADD `extra_log_ids` text;