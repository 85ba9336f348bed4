/** `npm run audit -- export FILE | verify FILE | checkpoint | key` */
import { resolve } from 'node:path'
import { Command } from 'commander'
import { CHECKPOINT_MAX_BYTES } from '../../sdk/evidence/kept.ts'
import { type Report, type Verdict, verdictOf } from '../../sdk/evidence/report.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { verifyEvidence } from '../../sdk/evidence/verify.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { readFileStart } from '../../src/evidence/file/evidence.queries.ts'
import { wholeEvidence } from '../../src/evidence/file/whole-evidence.ts'
import { readUnsealed } from '../../src/evidence/seal/seals.queries.ts'
import { requireNoFile, writeNewFile } from '../core/new-file.ts'
import { collectValues } from '../core/option-parsers.ts'
import { printable } from '../core/printable.ts'
import { commandGroup, databaseCommand } from '../core/program.ts'
import { showProgress } from '../core/progress.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { hasCertificates, timeStampChecker } from './check-token.ts'
import { openLines, readText, requireFile } from './open-file.ts'
import { formatReport } from './print-report.ts'

const NOT_SEALED = `Nothing is sealed yet, and this command seals nothing. Where SEAL_KEY is set, the
cron does each hour, and GET /api/v2/audit/checkpoint does at once.`

/**
 * The page size for the local database. Its queries take milliseconds, so many small pages are read
 * quickly, and need little memory.
 */
const EVENTS_PER_PAGE = 1_024

const exportFile = databaseCommand('export', 'write the whole evidence with its seals to a file')
  .argument('<file>', 'compressed if its name ends in .gz')
  .option('--no-comments', 'withhold the texts of the comments')
  .onDatabase(async (d1, path: string, { comments, installation }) => {
    requireNoFile(path)
    const db = withoutCaller(d1)
    const { end, keys } = await readFileStart(db)
    if (keys.length === 0) throw new CliError(NOT_SEALED)
    const progress = showProgress('Exporting')
    const chunks = await wholeEvidence(db, {
      comments,
      now: new Date(),
      ...(installation === undefined && { eventsPerPage: EVENTS_PER_PAGE }),
    })
    const counted = async function* () {
      let events = 0
      for await (const chunk of chunks) {
        yield chunk
        events += chunk.split('\n{"entry"').length - 1
        progress.update(events, end?.last_id ?? 0)
      }
    }
    await writeNewFile(path, counted(), { zip: path.endsWith('.gz') })
    progress.stop()
    console.log(`Wrote ${end?.last_id} events, ${end?.size} of them sealed, to ${path}.`)
  })

const readCheckpoint = (path: string) => {
  if (requireFile(path).size > CHECKPOINT_MAX_BYTES) throw new CliError(`${path} no es un sello.`)
  return { name: path, text: readText(path) }
}

const openNamed = (path: string) => ({ name: path, lines: openLines(path) })

const authoritiesIn = ([path, ...more]: readonly string[]): string | undefined => {
  if (more.length > 0) {
    throw new CliError(
      '--tsa-ca admite un solo archivo: junte en él a todas las autoridades (PEM).',
    )
  }
  if (path === undefined) return undefined
  requireFile(path)
  if (!hasCertificates(readText(path))) {
    throw new CliError(`${path} no tiene certificados en PEM, que es lo que --tsa-ca admite.`)
  }
  return path
}

const EXIT_CODES: Record<Verdict, number> = { sound: 0, faulty: 1, partial: 3, unsealed: 3 }

const exitCodeOf = (report: Report): number => {
  const verdict = verdictOf(report)
  return verdict !== 'faulty' && report.uncompared.count > 0 ? 2 : EXIT_CODES[verdict]
}

type VerifyFlags = Record<'closing' | 'checkpoint' | 'key' | 'tsaCa', string[]>

const verify = new Command('verify')
  .description(
    'verify an evidence file, without the service: 0 sound, 1 faults, 2 unreadable or not comparable, 3 not all sealed',
  )
  .argument('<file>')
  .option('--closing <file>', 'the lines of a closing, NDJSON; may be repeated', collectValues, [])
  .option('--checkpoint <file>', 'a kept checkpoint; may be repeated', collectValues, [])
  .option('--key <key>', 'the verifier key that was agreed on; may be repeated', collectValues, [])
  .option(
    '--tsa-ca <file>',
    'check time stamps with openssl, by these authorities (PEM)',
    collectValues,
    [],
  )
  .action(async (path: string, flags: VerifyFlags) => {
    try {
      const authorities = authoritiesIn(flags.tsaCa)
      const report = await verifyEvidence(openLines(path), {
        keys: flags.key,
        checkpoints: flags.checkpoint.map(readCheckpoint),
        closings: flags.closing.map(openNamed),
        ...(authorities && { checkToken: timeStampChecker(resolve(authorities)) }),
      })
      console.log(formatReport(textOfReport(report)))
      process.exitCode = exitCodeOf(report)
    } catch (error) {
      if (!(error instanceof UnreadableFile || error instanceof CliError)) throw error
      console.error(printable(error.message))
      process.exitCode = 2
    }
  })

const checkpoint = databaseCommand(
  'checkpoint',
  'print the newest checkpoint, to keep elsewhere',
).onDatabase(async (d1) => {
  const { newest } = await readUnsealed(withoutCaller(d1))
  if (!newest) throw new CliError(NOT_SEALED)
  process.stdout.write(newest.checkpoint)
})

const key = databaseCommand('key', 'print the keys that verify, the newest last').onDatabase(
  async (d1) => {
    const { keys } = await readFileStart(withoutCaller(d1))
    if (keys.length === 0) throw new CliError(NOT_SEALED)
    console.log(keys.join('\n'))
  },
)

export const program = commandGroup('audit', 'the evidence of what was recorded and decided', [
  exportFile,
  verify,
  checkpoint,
  key,
])
if (import.meta.main) await runCli(program)
