/** `npm run employee -- forget ID` */
import { DomainError } from '../../src/core/errors.ts'
import { companyDay } from '../../src/core/values/time-zone.ts'
import { findEmployeeRecord } from '../../src/people/employee-records.queries.ts'
import { configuredSettings } from '../core/installation-file.ts'
import { openAsOperator } from '../core/operator.ts'
import { commandGroup, confirmOrFail, destructiveCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { findLinkedAccounts } from '../users/accounts.ts'
import { findForgettableFrom, forgetEmployee } from './forget.ts'
import { findIdentifyingTexts, findMentions } from './mentions.ts'

const COPIES = `Copies remain: Time Travel for 30 days (7 on the free plan), every backup until it is deleted,
evidence and exports that were handed out, and what a legacy database still has.`

const BEYOND = `What others wrote about the person elsewhere, such as on logs of other people or on closings of a
group, stays, and is listed only where it has a name or number of the person.`

type EmployeeRecord = Awaited<ReturnType<typeof findEmployeeRecord>>

/** Fails while the person works: nobody could say afterwards whose days go on. */
const requireLeft = (id: string, record: EmployeeRecord, today: string): void => {
  if (!record || (record.ended_at !== null && record.ended_at < today)) return
  const state = record.ended_at === null ? 'has no last day' : `works until ${record.ended_at}`
  throw new CliError(
    `${id} (${record.full_name}) ${state}. Nothing was erased: only who has left is forgotten.
The last day is set in the console, under Personas.`,
  )
}

const forget = destructiveCommand(
  'forget',
  'erase what identifies a person; events and hashes stay',
)
  .argument('<id>')
  .option('--now', 'within five years of the last day of work too', false)
  .onDatabase(async (db, employee_id, { now, ...options }) => {
    const from = await findForgettableFrom(db, employee_id)
    if (!from) throw new DomainError('EMPLOYEE_NOT_FOUND')
    const operator = await openAsOperator(db)
    const record = await findEmployeeRecord(operator, employee_id)
    requireLeft(employee_id, record, companyDay(new Date(), operator.zones()))
    if (from > new Date() && !now) {
      const day = from.toISOString().slice(0, 10)
      throw new CliError(
        `Records are kept until ${day}, five years. Nothing was erased; --now erases.`,
      )
    }
    const { others } = await findLinkedAccounts(db, employee_id)
    if (others.length > 0) {
      console.log(
        'These users were linked to the person once, and may be somebody else: they stay. If one is\nthe person, link it to the person first.',
      )
      for (const { id, email } of others) console.log(`  ${id}, ${email}`)
    }
    const who = record ? record.full_name || 'no name' : 'deleted already'
    await confirmOrFail(`Erase ${employee_id} (${who}) for good`, options)
    const names = await findIdentifyingTexts(db, employee_id)
    const picture = record?.profile_image
    const comments = await forgetEmployee(db, employee_id, {
      now: new Date(),
      adminRoles: configuredSettings(options).ADMIN_ROLES,
    })
    const mentions = await findMentions(db, names)
    if (mentions.length === 0) console.log('No text of the database names the person any more.')
    else {
      console.log('These texts still name the person, or somebody of that name. Look at each:')
      for (const { table, column, id } of mentions) console.log(`  ${table}.${column}, ${id}`)
    }
    if (picture) console.log(`The picture's file stays, and is served: delete ${picture}.`)
    console.log(
      `Evidence goes on to verify. ${COPIES}\nForgot ${employee_id}, with ${comments} comments, ${placeOf(options)}.\n${BEYOND}`,
    )
  })

export const program = commandGroup('employee', 'the employees whose logs are recorded', [forget])
if (import.meta.main) await runCli(program)
