-- Raising a user's version ends every token, and the ids of single ones matter no more.
-- A table rebuild drops triggers: re-create this one after one.
CREATE TRIGGER `users_forget_ended_tokens` AFTER UPDATE OF `token_version` ON `users`
WHEN NEW.`token_version` > OLD.`token_version`
BEGIN
	DELETE FROM `revoked_tokens` WHERE `user_id` = NEW.`id`;
END;
