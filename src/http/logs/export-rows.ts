import type { ExportedLog } from '../../domain/logs/logs.ts'
import type { TimeZone } from '../../shared/time-zone.ts'
import { type FileRow, fileFormats } from '../core/export-file.ts'

/** The columns of the logs' export, in order. */
export const EXPORT_COLUMNS = [
  'log_id',
  'employee_id',
  'full_name',
  'department',
  'branch_office',
  'kind',
  'recorded_at',
  'recorded_at_local',
  'received_at',
  'source',
  'status',
  'decided_at',
  'decided_by',
  'comment',
] as const

export const EXPORT_FILE = fileFormats({ columns: EXPORT_COLUMNS })

export const toExportRow =
  (zone: TimeZone) =>
  (log: ExportedLog): FileRow => ({
    ...log,
    recorded_at_local: zone.localTime(new Date(log.recorded_at)),
  })
