/** `npm run source -- list`, `label NAME TEXT`, `retire NAME` and `dismiss NAME SOURCE_ID --reason TEXT` */
import { Command } from 'commander'
import { COMMENT_MAX } from '../../src/core/log-values.ts'
import { codePoints, isInvisible, isStorable, sourceKey } from '../../src/core/text.ts'
import { databaseCommand, placeOf, withDatabase } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { dismissProblems, labelSource, listSources, retireSource } from './sources.queries.ts'

const list = databaseCommand('list', 'list the sources of logs').action((options) =>
  withDatabase(options, async (db) => {
    const sources = await listSources(db)
    if (sources.length === 0) console.log('No sources yet.')
    else console.table(sources)
  }),
)

/** Of a label, in characters. */
const LABEL_MAX = 60

const label = databaseCommand('label', 'say what people call a source, where names are shown')
  .argument('<name>')
  .argument('<label>', `up to ${LABEL_MAX} characters; '' takes it away`)
  .action((name, given: string, options) =>
    withDatabase(options, async (db) => {
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
    }),
  )

const retire = databaseCommand('retire', 'stop expecting logs of a source; its logs stay')
  .argument('<name>')
  .action((name, options) =>
    withDatabase(options, async (db) => {
      const source = sourceKey(name)
      if (!(await retireSource(db, source, new Date())))
        throw new CliError('No source has that name.')
      console.log(`It counts again once it sends anything.\nRetired ${source} ${placeOf(options)}.`)
    }),
  )

const dismiss = databaseCommand('dismiss', 'stop showing a problem that nothing can solve')
  .argument('<name>')
  .argument('[source_id]', "the log's id there, as the problem shows it; '' for one without")
  .option('--all', 'every problem of the source')
  .requiredOption('--reason <text>', 'why; it is kept with the problem')
  .action((name, source_id: string | undefined, { reason, all, ...options }) =>
    withDatabase(options, async (db) => {
      if ((source_id === undefined) !== Boolean(all)) throw new CliError('Give an id, or --all.')
      if (isInvisible(reason) || !isStorable(reason) || codePoints(reason) > COMMENT_MAX) {
        throw new CliError(`--reason needs a text of 1 to ${COMMENT_MAX} characters.`)
      }
      const problem = { source: sourceKey(name), source_id: source_id ?? null, reason }
      const count = await dismissProblems(db, problem, new Date())
      if (count === 0) throw new CliError('There is no such problem.')
      console.log(`Dismissed ${count} ${count === 1 ? 'problem' : 'problems'} ${placeOf(options)}.`)
    }),
  )

export const program = new Command('source').description(
  'the time clocks and programs that send logs',
)
for (const command of [list, label, retire, dismiss]) program.addCommand(command)
if (import.meta.main) await runCli(program)
