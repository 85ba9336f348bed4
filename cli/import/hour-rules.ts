import type { D1 } from '../../src/core/db/query.ts'
import {
  compareRules,
  type HourRule,
  type RuleList,
} from '../../src/payroll/rules/rules.queries.ts'
import { inChunks } from '../core/chunks.ts'
import { openAsOperator } from '../core/operator.ts'
import type { ImportFile } from './file.ts'
import type { Comparison } from './queries.ts'

/** The zones and longest shifts of a file, which the service keeps as rules of hours. */

/** A rule of hours of the file, with the name of the field that has its value or day. */
export type PlacedRule = HourRule & { place: string }

/** The zones of the company and of branches. A zone without a day is valid on all days. */
export const zonesOfFile = ({
  company,
  branches,
}: Pick<ImportFile, 'company' | 'branches'>): PlacedRule[] => [
  ...company.flatMap(({ place, row: { time_zone } }) =>
    time_zone === undefined
      ? []
      : { place: `${place}.time_zone`, subject: null, valid_from: '', value: time_zone },
  ),
  ...branches.map(({ place, row: { branch_office, valid_from = '', time_zone } }) => ({
    place: `${place}.valid_from`,
    subject: branch_office,
    valid_from,
    value: time_zone,
  })),
]

/** The longest shifts of everybody and of people, valid on all days. */
export const shiftsOfFile = ({
  company,
  employees,
}: Pick<ImportFile, 'company' | 'employees'>): PlacedRule[] =>
  [
    ...company.map(({ place, row }) => ({ place, row, subject: null })),
    ...employees.map(({ place, row }) => ({ place, row, subject: row.employee_id })),
  ].flatMap(({ place, row: { max_shift_hours: value }, subject }) =>
    value === undefined
      ? []
      : { place: `${place}.max_shift_hours`, subject, valid_from: '', value },
  )

/** Compares rules with the stored ones, in chunks. */
export const compareHourRules = async <Rule extends HourRule>(
  db: D1,
  list: RuleList,
  rules: readonly Rule[],
): Promise<{ rule: Rule; result: keyof Comparison; paid_before: string | null }[]> => {
  const operator = await openAsOperator(db)
  const compared = []
  for (const { rows } of inChunks(rules)) {
    for (const { position, isNew, differs, paid_before } of await compareRules(
      operator,
      list,
      rows,
    )) {
      const result = isNew ? 'created' : differs ? 'changed' : 'kept'
      compared.push({ rule: rows[position] as Rule, result, paid_before } as const)
    }
  }
  return compared
}
