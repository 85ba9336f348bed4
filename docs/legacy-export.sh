#!/bin/sh
# Writes the import file from the views of legacy-views.sql: sh docs/legacy-export.sh > private/export.json
# The arguments are the database's name and options of mysql, for example: legacy --host db
set -eu
[ $# -gt 0 ] || set -- legacy
FILE=$(mktemp)
trap 'rm -f "$FILE"' EXIT
# A failed query must not look like an empty list, so the rows go into a file first.
query() { mysql "$@" --default-character-set=utf8mb4 --batch --raw --skip-column-names; }
list() {
  query "$@" > "$FILE"
  sed '$!s/$/,/' "$FILE"
}
# CONVERT_TZ gives NULL, and no error, for a zone that MySQL does not know.
LOST=$(query "$@" --execute "SELECT CONCAT(COUNT(*), ' logs have no moment, such as ', MIN(log_id),
  IF(CONVERT_TZ('2026-01-01', 'America/Mexico_City', 'UTC') IS NULL,
    ': MySQL has no time zone tables. Load them with mysql_tzinfo_to_sql (docs/migrating.md).',
    ': MySQL does not know their date, or their zone in checada_logs.'))
  FROM checada_logs WHERE recorded_at IS NULL HAVING COUNT(*) > 0")
if [ -n "$LOST" ]; then
  echo "$LOST" >&2
  exit 1
fi
flag() { echo "IF($1, JSON_EXTRACT('true', '\$'), JSON_EXTRACT('false', '\$'))"; }
{
  echo '{ "employees": ['
  # The merge leaves out a payroll group that is NULL, so an employee of Checada keeps the group.
  list "$@" --execute "SELECT JSON_MERGE_PATCH(JSON_OBJECT('employee_id', employee_id,
    'full_name', full_name, 'rfc', rfc, 'phone', phone, 'cellphone', cellphone,
    'started_at', started_at, 'job_position', job_position, 'department', department,
    'branch_office', branch_office, 'profile_image', profile_image),
    JSON_OBJECT('payroll_group', payroll_group)) FROM checada_employees"
  echo '], "users": ['
  list "$@" --execute "SELECT JSON_MERGE_PATCH(JSON_OBJECT('email', email,
    'first_name', first_name, 'last_name', last_name, 'mother_last_name', mother_last_name,
    'role', role, 'active', active, 'external', external, 'type_user', type_user,
    'status_user', status_user, 'employee_id', employee_id),
    JSON_OBJECT('password_hash', password_hash)) FROM checada_users"
  echo '], "clients": ['
  list "$@" --execute "SELECT JSON_OBJECT('code', code, 'name', COALESCE(name, ''),
    'status', COALESCE(status, ''), 'url_base', COALESCE(url_base, '')) FROM clients"
  echo '], "modules": ['
  list "$@" --execute "SELECT JSON_OBJECT('slug', slug, 'name', name,
    'description', COALESCE(description, ''), 'icon', COALESCE(icon, ''),
    'enabled', $(flag enabled), 'enabled_app', $(flag enabled_app)) FROM modules"
  echo '], "config": ['
  list "$@" --execute "SELECT JSON_OBJECT('key', \`key\`, 'tipo', tipo, 'nombre', nombre,
    'valor', COALESCE(valor, '')) FROM config"
  echo '], "logs": ['
  list "$@" --execute "SELECT JSON_OBJECT('log_id', log_id, 'employee_id', employee_id,
    'kind', kind, 'recorded_at', recorded_at, 'status', status)
    FROM checada_logs WHERE employee_id IN (SELECT employee_id FROM checada_employees)"
  echo '] }'
}
