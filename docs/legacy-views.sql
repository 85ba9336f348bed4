-- The export and the nightly run read these views of the legacy database. To create them, run
-- `mysql legacy < legacy-views.sql`. Put in your own tables and columns after FROM and left of AS.
-- docs/migrating.md explains the rules. Views neither copy nor change data. DROP VIEW removes them.

-- MySQL ignores case and trailing blanks when it compares employee ids. Checada compares each byte.
-- So users and logs take the spelling of the employees table.
CREATE OR REPLACE VIEW checada_employees AS
SELECT RTRIM(employee_id) AS employee_id, COALESCE(full_name, '') AS full_name,
  COALESCE(rfc, '') AS rfc, COALESCE(phone, '') AS phone, COALESCE(cellphone, '') AS cellphone,
  -- A missing or incomplete date is exported as 1900-01-01.
  IF(started_at > '1000-01-01' AND MONTH(started_at) > 0 AND DAY(started_at) > 0,
    DATE_FORMAT(started_at, '%Y-%m-%d'), '1900-01-01') AS started_at,
  COALESCE(job_position, '') AS job_position, COALESCE(department, '') AS department,
  COALESCE(branch_office, '') AS branch_office, COALESCE(profile_image, '') AS profile_image,
  -- The column with the payroll group, such as employees.nomina. NULL exports no group.
  NULL AS payroll_group
FROM employees WHERE deleted_at IS NULL AND TRIM(employee_id) <> '';

CREATE OR REPLACE VIEW checada_users AS
SELECT TRIM(u.email) AS email,
  -- $2a$ hashes are exported as $2y$, which means the same. Other hashes, such as MD5 or bcrypt of a
  -- cost over 13, are not exported: these users come without a password and get a link.
  IF(u.password REGEXP '^[$]2[aby][$](0[4-9]|1[0-3])[$]', CONCAT('$2y$', SUBSTR(u.password, 5)), NULL) AS password_hash,
  COALESCE(u.first_name, '') AS first_name, COALESCE(u.last_name, '') AS last_name,
  COALESCE(u.mother_last_name, '') AS mother_last_name, COALESCE(u.role, '') AS role,
  IF(u.active, 1, 0) AS active, IF(u.external, 1, 0) AS external,
  COALESCE(u.type_user, '') AS type_user, COALESCE(u.status_user, '') AS status_user,
  e.employee_id
FROM users AS u LEFT JOIN checada_employees AS e ON e.employee_id = RTRIM(u.employee_id)
WHERE u.deleted_at IS NULL AND u.email LIKE '%_@_%';

CREATE OR REPLACE VIEW checada_logs AS
SELECT l.id AS log_id, RTRIM(COALESCE(e.employee_id, l.employee_id)) AS employee_id,
  -- The import rejects a file with other kinds, and names them. Add such kinds here.
  CASE LOWER(TRIM(l.kind)) WHEN 'entrada' THEN 'entrada' WHEN 'salida' THEN 'salida'
    WHEN 'comida' THEN 'checada' ELSE l.kind END AS kind,
  -- The zone of a branch's punches. Name each branch whose zone differs from the zone after ELSE.
  DATE_FORMAT(CONVERT_TZ(l.recorded_at, CASE TRIM(e.branch_office)
      WHEN 'Tijuana' THEN 'America/Tijuana' WHEN 'Hermosillo' THEN 'America/Hermosillo'
      ELSE 'America/Mexico_City' END, 'UTC'), '%Y-%m-%dT%H:%i:%sZ')
    AS recorded_at,
  CASE LOWER(TRIM(COALESCE(l.status, ''))) WHEN '' THEN 'pending' WHEN 'pendiente' THEN 'pending'
    WHEN 'aprobado' THEN 'approved' WHEN 'rechazado' THEN 'rejected' ELSE LOWER(TRIM(l.status)) END
    AS status,
  l.recorded_at AS local_at
FROM logs AS l LEFT JOIN employees AS e ON e.employee_id = RTRIM(l.employee_id)
WHERE l.deleted_at IS NULL AND e.deleted_at IS NULL AND l.recorded_at > '1000-01-01';

-- The rows that are not exported, with the reason. Before the move, make sure that you can explain
-- each row.
CREATE OR REPLACE VIEW checada_left_out AS
SELECT 'employees' AS source, employee_id AS id, 'deleted' AS reason FROM employees
  WHERE deleted_at IS NOT NULL
UNION ALL SELECT 'employees', employee_id, 'blank id' FROM employees
  WHERE deleted_at IS NULL AND TRIM(employee_id) = ''
UNION ALL SELECT 'users', id, IF(deleted_at IS NULL, 'no address', 'deleted') FROM users
  WHERE deleted_at IS NOT NULL OR email IS NULL OR email NOT LIKE '%_@_%'
UNION ALL SELECT 'users', id, 'needs a new password' FROM users
  WHERE deleted_at IS NULL AND email LIKE '%_@_%'
    AND COALESCE(password, '') NOT REGEXP '^[$]2[aby][$](0[4-9]|1[0-3])[$]'
UNION ALL SELECT 'logs', l.id, CASE WHEN l.deleted_at IS NOT NULL THEN 'deleted'
    WHEN e.deleted_at IS NOT NULL THEN 'employee deleted'
    WHEN e.employee_id IS NULL THEN 'no such employee' ELSE 'no moment' END
  FROM logs AS l LEFT JOIN employees AS e ON e.employee_id = RTRIM(l.employee_id)
  WHERE l.deleted_at IS NOT NULL OR e.employee_id IS NULL OR e.deleted_at IS NOT NULL
    OR l.recorded_at IS NULL OR l.recorded_at <= '1000-01-01';
