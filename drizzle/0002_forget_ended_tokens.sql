-- Incrementing a user's version ends every token, so the ids of single ones are no longer needed.
-- A table rebuild drops triggers: re-create this one after a rebuild.
CREATE TRIGGER `users_forget_ended_tokens` AFTER UPDATE OF `token_version` ON `users`
WHEN NEW.`token_version` > OLD.`token_version`
BEGIN
	DELETE FROM `revoked_tokens` WHERE `user_id` = NEW.`id`;
END;
