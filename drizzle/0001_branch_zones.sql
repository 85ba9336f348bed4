CREATE TABLE `branch_zones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`branch_office` text NOT NULL,
	`valid_from` text DEFAULT '' NOT NULL,
	`time_zone` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	CONSTRAINT "branch_zones_valid_from" CHECK("branch_zones"."valid_from" = '' OR date("branch_zones"."valid_from") IS "branch_zones"."valid_from"),
	CONSTRAINT "branch_zones_created_at" CHECK(strftime('%Y-%m-%dT%H:%M:%fZ', "branch_zones"."created_at") IS "branch_zones"."created_at")
);
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_update` BEFORE UPDATE ON `branch_zones`
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_delete` BEFORE DELETE ON `branch_zones`
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `branch_zones_no_replace` BEFORE INSERT ON `branch_zones`
WHEN EXISTS (SELECT 1 FROM `branch_zones` WHERE `id` = NEW.`id`)
BEGIN
	SELECT RAISE(ABORT, 'branch_zones is append-only');
END;
