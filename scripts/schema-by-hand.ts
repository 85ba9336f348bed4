/** What migrations have by hand, because drizzle-kit cannot declare it. */
export interface ByHand {
  /** Foreign keys that are checked at the end of the transaction: `table.column`. */
  deferredKeys: readonly string[]
  /**
   * Triggers as `name BEFORE|AFTER EVENT ON table`. Those that only refuse what would change an
   * append-only table end with the text with which they refuse.
   */
  triggers: readonly string[]
}

/** Tables whose rows stay as they were added. Three triggers each refuse what would change one. */
const APPEND_ONLY = [
  'agreements',
  'branch_zones',
  'clock_numbers',
  'closing_lines',
  'closing_people',
  'closings',
  'day_reviews',
  'employee_shifts',
  'erased_comments',
  'log_comments',
  'log_events',
  'log_seal_tokens',
  'other_network_logs',
  'people_changes',
  'statements',
]

const refusal = (name: string, event: string, table: string): string =>
  `${table}_${name} BEFORE ${event} ON ${table}: ${table} is append-only`

const refusals = (table: string): string[] => [
  refusal('no_delete', 'DELETE', table),
  refusal('no_replace', 'INSERT', table),
  refusal('no_update', 'UPDATE', table),
]

export const BY_HAND: ByHand = {
  // A log and its first comment refer to each other.
  deferredKeys: ['log_comments.log_id'],
  triggers: [
    ...APPEND_ONLY.flatMap(refusals),
    'attendance_logs_copy AFTER INSERT ON attendance_logs',
    'attendance_logs_facts BEFORE UPDATE OF id,employee_id,kind,recorded_at,source,source_id,branch_office,department,recorded_by,comment_id,created_at ON attendance_logs',
    'attendance_logs_no_decided_in_closed BEFORE INSERT ON attendance_logs',
    'attendance_logs_no_delete BEFORE DELETE ON attendance_logs',
    'attendance_logs_no_replace BEFORE INSERT ON attendance_logs',
    'attendance_logs_record AFTER INSERT ON attendance_logs',
    'attendance_logs_record_copied AFTER UPDATE OF branch_office,department ON attendance_logs',
    'attendance_logs_status_event BEFORE UPDATE OF status ON attendance_logs',
    'branch_zones_record AFTER INSERT ON branch_zones',
    'clock_numbers_record AFTER INSERT ON clock_numbers',
    'closings_record_cancelled AFTER UPDATE OF cancelled_at ON closings',
    'closings_record_closed AFTER UPDATE OF completed_at ON closings',
    'employee_shifts_record AFTER INSERT ON employee_shifts',
    'employees_no_delete BEFORE DELETE ON employees',
    'employees_version AFTER UPDATE ON employees',
    'log_comments_keep_hash BEFORE UPDATE OF comment ON log_comments',
    'log_events_agreed BEFORE INSERT ON log_events',
    'log_events_shown_moments BEFORE INSERT ON log_events',
    'log_events_signed BEFORE INSERT ON log_events',
    refusal('grow', 'INSERT', 'log_seals'),
    refusal('no_delete', 'DELETE', 'log_seals'),
    refusal('no_update', 'UPDATE', 'log_seals'),
    'notify_state_no_delete BEFORE DELETE ON notify_state',
    'notify_state_no_future BEFORE UPDATE OF last_event_id ON notify_state',
    'notify_state_no_replace BEFORE INSERT ON notify_state',
    'people_changes_record AFTER INSERT ON people_changes',
    'revoked_tokens_delete_push AFTER INSERT ON revoked_tokens',
    'users_delete_ended_tokens AFTER UPDATE OF token_version ON users',
    'users_delete_push AFTER UPDATE OF token_version,active,employee_id ON users',
    'users_version AFTER UPDATE ON users',
  ],
}
