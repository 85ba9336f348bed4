/** `npm run demo -- --logs N`: loads the demo data, and adds N generated logs. */
import { Command, InvalidArgumentError } from 'commander'
import type { D1 } from '../src/db/core/query.ts'
import { loadDemo } from './demo-data.ts'
import { migrateLocal } from './local-database.ts'
import { placeOf, withDatabase } from './program.ts'
import { showProgress } from './progress.ts'
import { runCli } from './run-cli.ts'

/** Small enough that a running service waits little for each statement. */
const LOGS_PER_STATEMENT = 5_000

/** Two logs a day for a working year. */
const LOGS_A_PERSON = 500

const count = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('Not a count.')
  return value
}

/** As many employees as give each about a year of logs; branches and departments of all sizes. */
const PEOPLE = `
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
  INSERT OR IGNORE INTO employees (employee_id, full_name, rfc, phone, cellphone, started_at,
    job_position, department, branch_office, profile_image)
  SELECT printf('D-%06d', i),
    json_extract('["Ana","Luis","Sofía","Héctor","Itzel","Óscar","Lucía","Íñigo"]', printf('$[%d]', i % 8))
      || ' ' || json_extract('["Torres","Núñez","Mendoza","Peña","Salas","Zúñiga","Ibarra"]', printf('$[%d]', i % 7))
      || ' ' || json_extract('["Rivas","Vega","Cruz","Luna","Díaz"]', printf('$[%d]', i % 5)),
    'XAXX010101000', printf('55%08d', i), printf('56%08d', i),
    date('2015-01-01', printf('+%d days', i * 37 % 3650)), 'Auxiliar',
    json_extract('["Ventas","Almacén","Operaciones","Sistemas"]', printf('$[%d]', (i * i) % 4)),
    json_extract('["Centro","Norte","Sur","Oriente","Poniente"]', printf('$[%d]', min(i % 9, 4))),
    printf('empleados/d-%06d.jpg', i)
  FROM n`

/** Log i: the employee varies fastest, then entrada and salida, then the working day, backwards. */
const LOGS = `
  WITH RECURSIVE n(i) AS (VALUES (?1) UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1),
    day(i, person, leaving, ago) AS (
      SELECT i, i % ?3 + 1, i / ?3 % 2, (i / ?3 / 2) / 5 * 7 + (i / ?3 / 2) % 5 FROM n)
  INSERT INTO attendance_logs (employee_id, branch_office, department, kind,
    recorded_at, status)
  SELECT e.employee_id, e.branch_office, e.department, iif(leaving, 'salida', 'entrada'),
    strftime('%Y-%m-%dT%H:%M:%S.000Z', ?4 - ago * 86400 + iif(leaving, 32400, 0)
      + abs(random()) % 2400 - 1200, 'unixepoch'),
    CASE WHEN ago < 7 THEN 'pending' WHEN abs(random()) % 50 = 0 THEN 'pending'
      WHEN abs(random()) % 15 = 0 THEN 'rejected' ELSE 'approved' END
  FROM day JOIN employees AS e ON e.employee_id = printf('D-%06d', person)`

/** Nine in the morning of the last Friday, in the centre of Mexico. */
const lastFriday = (now: Date): number => {
  const friday = new Date(now)
  friday.setUTCDate(friday.getUTCDate() - ((friday.getUTCDay() + 2) % 7))
  return Math.floor(friday.setUTCHours(15, 0, 0, 0) / 1000)
}

const fill = async (db: D1, logs: number): Promise<void> => {
  const people = Math.max(1, Math.ceil(logs / LOGS_A_PERSON))
  const progress = showProgress('Adding logs')
  await db.prepare(PEOPLE).bind(people).run()
  for (let from = 0; from < logs; from += LOGS_PER_STATEMENT) {
    const to = Math.min(from + LOGS_PER_STATEMENT, logs)
    await db.prepare(LOGS).bind(from, to, people, lastFriday(new Date())).run()
    progress.update(to, logs)
  }
  progress.stop()
}

const program = new Command('demo')
  .description('load the demo data into an empty local database; --logs adds to any database')
  .option('--persist-to <folder>', 'the folder of local state, as npm start takes it')
  .option('--logs <count>', 'add this many generated logs', count, 0)
  .action(async (options) => {
    await migrateLocal(options.persistTo)
    await withDatabase(options, async (db) => {
      const loaded = await loadDemo(db)
      console.log(
        loaded
          ? `Loaded the demo data ${placeOf(options)}.`
          : 'The database is not empty: no demo data was loaded.',
      )
      if (options.logs === 0) return
      await fill(db, options.logs)
      console.log(`Added ${options.logs} logs ${placeOf(options)}.`)
    })
  })

await runCli(program)
