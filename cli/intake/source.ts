/**
 * `npm run source -- list`, `label NAME TEXT`, `retire NAME` and
 * `dismiss NAME SOURCE_ID --reason TEXT`.
 */
import { COMMENT_MAX } from '../../src/core/log-values.ts'
import { codePoints, isInvisible, isStorable, sourceKey } from '../../src/core/text.ts'
import { commandGroup, databaseCommand, listCommand, placeOf } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { dismissProblems, labelSource, listSources, retireSource } from './sources.queries.ts'

const LABEL_MAX = 60

const label = databaseCommand('label', 'say what people call a source, where names are shown')
  .argument('<name>')
  .argument('<label>', `up to ${LABEL_MAX} characters; '' takes it away`)
  .onDatabase(async (db, name, given: string, options) => {
    const text = given.trim()
    const isLabel = !isInvisible(text) && codePoints(text) <= LABEL_MAX
    if (text !== '' && !isLabel) {
      throw new CliError(`The label needs a text of 1 to ${LABEL_MAX} characters, or ''.`)
    }
    const source = sourceKey(name)
    if (!(await labelSource(db, source, text || null))) {
      throw new CliError('No source has that name.')
    }
    console.log(`${text ? 'Labelled' : 'Took the label of'} ${source} ${placeOf(options)}.`)
  })

const retire = databaseCommand('retire', 'stop expecting logs of a source; its logs stay')
  .argument('<name>')
  .onDatabase(async (db, name, options) => {
    const source = sourceKey(name)
    if (!(await retireSource(db, source, new Date())))
      throw new CliError('No source has that name.')
    console.log(`It counts again once it sends anything.\nRetired ${source} ${placeOf(options)}.`)
  })

const dismiss = databaseCommand('dismiss', 'stop showing a problem that nothing can solve')
  .argument('<name>')
  .argument('[source_id]', "the log's id there, as the problem shows it; '' for one without")
  .option('--all', 'every problem of the source')
  .requiredOption('--reason <text>', 'why; it is kept with the problem')
  .onDatabase(async (db, name, source_id: string | undefined, { reason, all, ...options }) => {
    if ((source_id === undefined) !== Boolean(all)) throw new CliError('Give an id, or --all.')
    if (isInvisible(reason) || !isStorable(reason) || codePoints(reason) > COMMENT_MAX) {
      throw new CliError(`--reason needs a text of 1 to ${COMMENT_MAX} characters.`)
    }
    const problem = { source: sourceKey(name), source_id: source_id ?? null, reason }
    const count = await dismissProblems(db, problem, new Date())
    if (count === 0) throw new CliError('There is no such problem.')
    console.log(`Dismissed ${count} ${count === 1 ? 'problem' : 'problems'} ${placeOf(options)}.`)
  })

export const program = commandGroup('source', 'the time clocks and programs that send logs', [
  listCommand('list the sources of logs', 'sources', listSources),
  label,
  retire,
  dismiss,
])
if (import.meta.main) await runCli(program)
