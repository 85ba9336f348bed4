CREATE TABLE `elsewhere_punches` (
	`serial` text NOT NULL,
	`day` text NOT NULL,
	`number` text NOT NULL,
	`local_at` text NOT NULL,
	`arrived_on` text NOT NULL,
	PRIMARY KEY(`serial`, `day`, `number`, `local_at`),
	FOREIGN KEY (`serial`) REFERENCES `clocks`(`serial`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `elsewhere_punches_arrived` ON `elsewhere_punches` (`serial`,`arrived_on`);--> statement-breakpoint
ALTER TABLE `clocks` ADD `own_address` text;--> statement-breakpoint
ALTER TABLE `clocks` ADD `own_address_by` integer REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `waiting_punches` ADD `over_bound` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- By hand: the clocks of 2.0.0 have their address.
UPDATE `clocks` SET `own_address` = `address`;
