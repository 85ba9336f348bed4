/**
 * Rows in every table as the first migration makes them, and every trigger met: later migrations must
 * run on them. Written in SQL, since the schema in the code is the newest one.
 */
export const FILLED_DATABASE = [
  `INSERT INTO employees (employee_id, full_name, rfc, phone, cellphone, started_at, job_position,
     department, branch_office, profile_image, payroll_group, ended_at)
   VALUES ('E-1', 'Luisa Peña', 'PELL900101AB1', '5555010101', '5512340001', '2024-01-15', 'Cajera',
       'Ventas', 'Norte', 'fotos/1.jpg', 'semanal', NULL),
     ('E-2', 'Raúl Soto', 'SORR900101AB1', '5555010102', '5512340002', '2024-01-15', 'Guardia',
       'Almacén', 'Sur', 'fotos/2.jpg', '', '2026-10-31')`,
  `INSERT INTO users (id, email, email_key, password_hash, first_name, last_name, mother_last_name,
     role, type_user, status_user, employee_id, actor_hash, actor_salt, scope_branches)
   VALUES (1, 'Ana@empresa.mx', 'ana@empresa.mx', 'hash', 'Ana', 'Torres', 'Rivas', 'admin', 'interno',
       'activo', NULL, 'hash-1', 'sal-1', NULL),
     (2, 'luisa@empresa.mx', 'luisa@empresa.mx', 'hash', 'Luisa', 'Peña', '', 'employee', 'interno',
       'activo', 'E-1', 'hash-2', 'sal-2', '["Norte"]')`,
  `INSERT INTO revoked_tokens (jti, user_id) VALUES ('token-1', 1), ('token-2', 2)`,
  // Incrementing a version drops the user's revoked tokens.
  'UPDATE users SET token_version = 1 WHERE id = 2',
  `INSERT INTO modules (slug, name, description, icon, enabled, enabled_app)
   VALUES ('checador', 'Checador', 'Entradas y salidas', 'fa-clock', 1, 1)`,
  `INSERT INTO clients (code, name, status, url_base)
   VALUES ('NORTE-01', 'Comercial del Norte', 'activo', 'https://norte.example.com')`,
  `INSERT INTO config_entries (key, tipo, nombre, valor)
   VALUES ('logo', 'archivo', 'Logotipo', 'config/logo.png')`,
  `INSERT INTO log_comments (id, log_id, user_id, comment, created_at, updated_at)
   VALUES (1, 3, 1, 'Olvidó checar.', '2026-10-03T20:00:00.000Z', '2026-10-03T20:00:00.000Z')`,
  `INSERT INTO attendance_logs (id, employee_id, kind, recorded_at, status, source, source_id,
     recorded_by, comment_id)
   VALUES (1, 'E-1', 'entrada', '2026-10-02T14:00:00.000Z', 'pending', 'reloj-norte', '1', 1, NULL),
     (2, 'E-1', 'salida', '2026-10-02T22:00:00.000Z', 'approved', '', NULL, NULL, NULL),
     (3, 'E-1', 'salida', '2026-10-03T22:00:00.000Z', 'pending', 'manual:1', 'u-1', 1, 1)`,
  `INSERT INTO log_events (event, log_id, user_id, from_status, to_status, comment_id, created_at,
     employee_id, kind, recorded_at, source, actor)
   SELECT 'decided', id, 1, status, 'approved', NULL, '2026-10-04T10:00:00.000Z', employee_id, kind,
     recorded_at, source, 'hash-1' FROM attendance_logs WHERE id = 1`,
  `UPDATE attendance_logs SET status = 'approved', updated_at = '2026-10-04T10:00:00.000Z' WHERE id = 1`,
  `INSERT INTO log_comments (id, log_id, user_id, comment, created_at, updated_at)
   VALUES (2, 1, 1, 'se borra', '2026-10-04T10:00:00.000Z', '2026-10-04T10:00:00.000Z')`,
  `INSERT INTO erased_comments (comment_id, hash, erased_at)
   SELECT 2, substr(hex(zeroblob(32)), 1, 64), '2026-10-05T10:00:00.000Z'`,
  `UPDATE log_comments SET comment = '', salt = '' WHERE id = 2`,
  `INSERT INTO intake_sources (source, complete_until, last_seen_at, retired_at)
   VALUES ('reloj-norte', '2026-10-03T00:00:00.000Z', '2026-10-03T00:00:00.000Z', NULL),
     ('reloj-viejo', NULL, '2025-10-03T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  `INSERT INTO intake_problems (source, source_id, employee_id, branch_office, result, reason,
     first_at, last_at)
   VALUES ('reloj-norte', '9', 'E-9', NULL, 'refused', 'unknown_employee',
     '2026-10-03T00:00:00.000Z', '2026-10-03T00:00:00.000Z')`,
  `INSERT INTO employee_sources (employee_id, source, last_recorded_at)
   VALUES ('E-1', 'reloj-norte', '2026-10-02T14:00:00.000Z')`,
  `INSERT INTO log_seals (id, size, last_event_id, created_at, verifier_key, checkpoint, edge, leaves)
   VALUES (1, 1, 1, '2026-10-03T00:00:00.000Z', 'key', 'checkpoint', zeroblob(32), zeroblob(32))`,
  `INSERT INTO log_seal_tokens (seal_id, token, created_at)
   VALUES (1, x'00', '2026-10-03T00:00:00.000Z')`,
  `INSERT INTO employee_shifts (employee_id, valid_from, max_shift_hours)
   VALUES ('E-2', '2026-10-01', 26)`,
  `INSERT INTO closings (id, before, user_id, token, last_event_id, closings_before,
     cancellations_before, unlocks_before, created_at)
   VALUES (1, '2026-10-04', 1, 'token', 4, 0, 0, 0, '2026-10-04T12:00:00.000Z')`,
  `INSERT INTO closing_people (closing_id, employee_id, payroll_group, branch_office, from_day, end_at,
     lock_at, opening, pending, pending_of_period, sin_checadas, hash)
   VALUES (1, 'E-1', 'semanal', 'Norte', '2026-10-01', '2026-10-04T06:00:00.000Z',
     '2026-10-04T06:00:00.000Z', '2026-10-01', 1, 1, 0, lower(hex(zeroblob(32))))`,
  `INSERT INTO closing_lines (closing_id, employee_id, day, of_period, department, branch_office,
     pairs, worked_seconds, paid_before_seconds, difference_seconds, held_seconds, detail, exceptions,
     notices)
   VALUES (1, 'E-1', '2026-10-02', 1, 'Ventas', 'Norte', 1, 28800, 0, 28800, 0, '08:00–16:00', '', '')`,
  `INSERT INTO openings (employee_id, first_day, user_id, closings_before, created_at)
   VALUES ('E-1', '2026-10-01', 1, 0, '2026-10-04T12:00:00.000Z')`,
  `UPDATE closings SET people = 1, days = 1, period_seconds = 28800, added_seconds = 0,
     deducted_seconds = 0, held_seconds = 0, exceptions_left = 0, pending = 1, pending_of_period = 1,
     unsynced = '[]', hash = lower(hex(zeroblob(32))), completed_at = '2026-10-04T12:00:00.000Z'
   WHERE id = 1`,
  `INSERT INTO unlocks (id, employee_id, from_day, to_day, comment, user_id, closings_before, created_at)
   VALUES (1, 'E-1', '2026-10-02', '2026-10-02', 'Faltó una.', 1, 1, '2026-10-05T12:00:00.000Z')`,
  `INSERT INTO unlock_people (unlock_id, employee_id, from_at, until_at)
   VALUES (1, 'E-1', '2026-10-02T06:00:00.000Z', '2026-10-03T06:00:00.000Z')`,
  `INSERT INTO day_reviews (employee_id, day, user_id, last_event_id, created_at)
   VALUES ('E-1', '2026-10-02', 1, 4, '2026-10-05T12:00:00.000Z')`,
  `UPDATE closings SET cancelled_at = '2026-10-06T12:00:00.000Z', cancelled_by = 1,
     cancel_comment = 'Por error.', cancelled_after = 1 WHERE id = 1`,
]

/** Rows of the tables that later migrations create, by migration: inserted after it. */
export const FILLED_LATER: Readonly<Record<string, readonly string[]>> = {
  '0001_branch_zones.sql': [
    `INSERT INTO branch_zones (branch_office, valid_from, time_zone)
     VALUES ('Norte', '2026-11-01', 'America/Tijuana')`,
  ],
  '0002_notices.sql': [`INSERT INTO notify_state (id, last_event_id) VALUES (1, 0)`],
}
