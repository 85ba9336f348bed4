/** `npm run notify -- status`, `resume [--after ID]` and `test [URL]` */
import { Command } from 'commander'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { isNotifyUrl } from '../../src/core/http/settings.ts'
import { isWebhookSecret } from '../../src/core/http/standard-webhooks.ts'
import { deliver } from '../../src/logs/notifications.http.ts'
import { readNotificationLag, resumeNotifications } from '../../src/logs/notifications.queries.ts'
import { readPushState } from '../../src/push/news.queries.ts'
import { installationOption } from '../core/each-installation.ts'
import { configuredSettings, settingsFile } from '../core/installation-file.ts'
import { numberLike } from '../core/option-parsers.ts'
import { askSecret, commandGroup, databaseCommand, variableOption } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import type { Target } from '../core/target.ts'

const NOTHING_SENT = 'Nothing has been sent yet: NOTIFY_URL begins with the next decision.'

const print = (values: object): void => {
  for (const [name, value] of Object.entries(values)) console.log(`${name}: ${value ?? '-'}`)
}

const status = databaseCommand('status', 'show how far the receiver and the phones are').onDatabase(
  async (db) => {
    const lag = await readNotificationLag(db)
    if (lag) print(lag)
    else console.log(NOTHING_SENT)
    console.log('Messages to phones:')
    print((await readPushState(withoutCaller(db))) ?? {})
  },
)

const resume = databaseCommand('resume', 'try again at the next run, without waiting')
  .option(
    '--after <id>',
    'send what comes after this event: an earlier one again, a later one skips',
    numberLike(/^\d{1,15}$/, '--after needs the id of an event.'),
  )
  .onDatabase(async (db, options) => {
    const { after = null } = options
    await resumeNotifications(db, { after, now: new Date().toISOString() }).catch((error) => {
      if (!String(error).includes('never passes the newest')) throw error
      throw new CliError('--after is past the newest event.')
    })
    const lag = await readNotificationLag(db)
    if (!lag) return console.log(NOTHING_SENT)
    const next = `what comes after event ${lag.last_event_id}.`
    if (configuredSettings(options).NOTIFY_URL) console.log(`The next run sends ${next}`)
    else {
      const without = `Nothing is sent without NOTIFY_URL, and ${settingsFile(options.installation)} has none.`
      console.log(`${without}\nWith it, the next run sends ${next}`)
    }
  })

/** A message without decisions. The receiver can verify it, but has nothing to process. */
const testNotification = (now: Date) => ({
  id: `test-${now.getTime()}`,
  body: JSON.stringify({
    type: 'logs.decided',
    timestamp: now.toISOString(),
    data: { changes: [] },
  }),
})

const test = new Command('test')
  .description('send a message without decisions, once; asks for NOTIFY_SECRET')
  .argument('[url]', 'by default NOTIFY_URL of the installation')
  .addOption(installationOption('the installation whose NOTIFY_URL it is').conflicts('var'))
  .addOption(variableOption())
  .action(async (given: string | undefined, target: Target) => {
    const url = given ?? configuredSettings(target).NOTIFY_URL
    if (!url) throw new CliError('Give a URL: there is no NOTIFY_URL.')
    if (!isNotifyUrl(url)) throw new CliError('The URL must be https, or http on loopback.')
    const secrets = (await askSecret('NOTIFY_SECRET')).trim().split(/\s+/)
    if (!secrets.every(isWebhookSecret)) throw new CliError('NOTIFY_SECRET is not valid.')
    const now = new Date()
    const error = await deliver(testNotification(now), { url, secrets, now })
    if (error !== undefined) throw new CliError(`The receiver did not accept it: ${error}.`)
    console.log('The receiver accepted it.')
  })

export const program = commandGroup('notify', 'the messages of decisions to NOTIFY_URL', [
  status,
  resume,
  test,
])
if (import.meta.main) await runCli(program)
