import { fileFormats } from '../core/http/export-file.ts'

const EXPORT_COLUMNS = [
  'log_id',
  'employee_id',
  'full_name',
  'department',
  'branch_office',
  'kind',
  'recorded_at',
  'local_at',
  'received_at',
  'source',
  'status',
  'decided_at',
  'decided_by',
  'comment',
  'request_comment',
] as const

export const LOGS_FILE = fileFormats({ columns: EXPORT_COLUMNS })
