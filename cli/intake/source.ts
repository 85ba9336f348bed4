/**
 * `npm run source -- list`, `label NAME TEXT`, `retire NAME` and
 * `dismiss NAME SOURCE_ID --reason TEXT`.
 */
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { COMMENT_MAX } from '../../src/core/log-values.ts'
import { sourceKey } from '../../src/core/text.ts'
import { DismissalBody, SourceBody } from '../../src/intake/intake.schemas.ts'
import { dismissProblems, replaceSource } from '../../src/intake/sources.queries.ts'
import { commandGroup, databaseCommand, listCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { findProblems, listSources } from './sources.queries.ts'

const LABEL_MAX = 60

/** Changes the label of a source, or retires the source. Returns the source's normalized name. */
const changeSource = async (
  db: D1,
  name: string,
  change: { label: string | null } | { retired_at: string },
): Promise<string> => {
  const source = sourceKey(name)
  const stored = (await listSources(db)).find((one) => one.source === source)
  const { label = null, retired_at = null } = stored ?? {}
  await replaceSource(withoutCaller(db), { source, label, retired_at, ...change })
  return source
}

const label = databaseCommand('label', 'say what people call a source, where names are shown')
  .argument('<name>')
  .argument('<label>', `up to ${LABEL_MAX} characters; '' takes it away`)
  .onDatabase(async (db, name, given: string, options) => {
    const text = given.trim() || null
    if (!SourceBody.safeParse({ label: text, retired: false }).success) {
      throw new CliError(`The label needs a text of 1 to ${LABEL_MAX} characters, or ''.`)
    }
    const source = await changeSource(db, name, { label: text })
    console.log(`${text ? 'Labelled' : 'Took the label of'} ${source} ${placeOf(options)}.`)
  })

const retire = databaseCommand('retire', 'stop expecting logs of a source; its logs stay')
  .argument('<name>')
  .onDatabase(async (db, name, options) => {
    const source = await changeSource(db, name, { retired_at: new Date().toISOString() })
    console.log(`It counts again once it sends anything.\nRetired ${source} ${placeOf(options)}.`)
  })

const dismiss = databaseCommand('dismiss', 'stop showing a problem that nothing can solve')
  .argument('<name>')
  .argument('[source_id]', "the log's id there, as the problem shows it; '' for one without")
  .option('--all', 'every problem of the source')
  .requiredOption('--reason <text>', 'why; it is kept with the problem')
  .onDatabase(async (db, name, source_id: string | undefined, { reason, all, ...options }) => {
    if ((source_id === undefined) !== Boolean(all)) throw new CliError('Give an id, or --all.')
    if (!DismissalBody.safeParse({ reason }).success) {
      throw new CliError(`--reason needs a text of 1 to ${COMMENT_MAX} characters.`)
    }
    const source = sourceKey(name)
    const ids = await findProblems(db, source, source_id ?? null)
    if (ids.length === 0) throw new CliError('There is no such problem.')
    const at = new Date().toISOString()
    await dismissProblems(withoutCaller(db), { source, ids, reason, at })
    const noun = ids.length === 1 ? 'problem' : 'problems'
    console.log(`Dismissed ${ids.length} ${noun} ${placeOf(options)}.`)
  })

export const program = commandGroup('source', 'the time clocks and programs that send logs', [
  listCommand('list the sources of logs', 'sources', listSources),
  label,
  retire,
  dismiss,
])
if (import.meta.main) await runCli(program)
