import { expect, it } from 'vitest'
import { compareSchemas } from '../../scripts/compare-schemas.ts'

const NOTES = `CREATE TABLE \`notes\` (
  \`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  \`log_id\` integer NOT NULL,
  \`text\` text DEFAULT '' NOT NULL,
  FOREIGN KEY (\`log_id\`) REFERENCES \`logs\`(\`id\`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "notes_text" CHECK(length("notes"."text") BETWEEN 1 AND (500))
)`
const LOGS = 'CREATE TABLE `logs` (`id` integer PRIMARY KEY NOT NULL)'
const INDEX = 'CREATE INDEX `notes_log_id` ON `notes` (`log_id`)'
const DECLARED = [LOGS, NOTES, INDEX]

it('finds no difference between two notations of the same schema', () => {
  const byHand = [
    LOGS,
    'CREATE TABLE notes (id integer PRIMARY KEY AUTOINCREMENT NOT NULL)',
    'ALTER TABLE notes ADD `log_id` integer NOT NULL REFERENCES logs(id)',
    `ALTER TABLE notes ADD text text DEFAULT '' NOT NULL
       CONSTRAINT notes_text CHECK (length(text) BETWEEN 1 AND (500))`,
    'CREATE INDEX notes_log_id ON notes (log_id)',
  ]
  expect(compareSchemas(byHand, DECLARED)).toEqual([])
})

const NO_TEXT = NOTES.replace("`text` text DEFAULT '' NOT NULL,", '').replace(
  '"notes"."text"',
  'id',
)
const TEXT = "column text TEXT NOT NULL DEFAULT ''"
const CHECK = 'check notes_text(length(text)BETWEEN 1 AND(500))'
const KEY = 'foreign key log_id → logs.id ON DELETE NO ACTION'

it.each([
  ['a table', [LOGS], 'column id'],
  ['an index', [LOGS, NOTES], 'CREATE INDEX notes_log_id ON notes(log_id)'],
  ['a column', [LOGS, NO_TEXT, INDEX], TEXT],
  ['a check', [LOGS, NOTES.replace(/,\n {2}CONSTRAINT .*/, ''), INDEX], CHECK],
  ['the condition of a check', [LOGS, NOTES.replace('500', '50'), INDEX], CHECK],
  ['a foreign key', [LOGS, NOTES.replace(/ {2}FOREIGN KEY .*\n/, ''), INDEX], KEY],
  ['a default', [LOGS, NOTES.replace("DEFAULT '' ", ''), INDEX], TEXT],
])('names %s that no migration has', (_, migrations, missing) => {
  expect(compareSchemas(migrations, DECLARED)).toContainEqual(
    expect.stringContaining(`No migration has notes: ${missing}`),
  )
})

it('names what the schema lacks', () => {
  expect(compareSchemas(DECLARED, [LOGS, NOTES])).toEqual([
    'The schema lacks notes: CREATE INDEX notes_log_id ON notes(log_id)',
  ])
})
