/**
 * What is known of a table: its rows may change, because users or operators manage them or a new
 * state replaces an old one; it has no rows of a branch, or another test checks whom it shows; it has
 * no personal data. Of a table without a line, none of this holds, and the tests check it.
 */
type Fact = 'changes' | 'noBranch' | 'noPeople'

const FACTS: Record<string, readonly Fact[]> = {
  agreements: ['noBranch', 'noPeople'],
  branch_zones: ['noBranch', 'noPeople'],
  clients: ['changes', 'noBranch', 'noPeople'],
  clocks: ['changes'],
  // test/payroll/closings.test.ts checks whom it shows.
  closing_lines: ['noBranch'],
  company: ['changes', 'noBranch', 'noPeople'],
  config_entries: ['changes', 'noBranch', 'noPeople'],
  elsewhere_punches: ['changes'],
  employee_shifts: ['noBranch'],
  employee_sources: ['changes'],
  employees: ['changes'],
  erased_comments: ['noBranch'],
  intake_problems: ['changes'],
  intake_sources: ['changes'],
  // test/users/users.test.ts checks whom it shows.
  invitations: ['changes', 'noBranch'],
  log_seal_tokens: ['noBranch'],
  log_seals: ['noBranch'],
  modules: ['changes', 'noBranch', 'noPeople'],
  notify_state: ['changes', 'noBranch', 'noPeople'],
  payroll_groups: ['changes', 'noPeople'],
  push_state: ['changes', 'noBranch', 'noPeople'],
  push_subscriptions: ['changes', 'noBranch'],
  revoked_tokens: ['changes', 'noBranch'],
  unknown_clocks: ['changes'],
  users: ['changes'],
  waiting_punches: ['changes'],
}

export const tablesWith = (fact: Fact): string[] =>
  Object.keys(FACTS).filter((table) => FACTS[table]?.includes(fact))
