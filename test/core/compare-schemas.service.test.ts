import { describe, expect, it } from 'vitest'
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
const KEY = 'foreign key log_id → logs(id)'

it.each([
  ['a table', [LOGS], 'column id'],
  ['an index', [LOGS, NOTES], 'CREATE INDEX notes_log_id ON notes(log_id)'],
  ['a column', [LOGS, NO_TEXT, INDEX], TEXT],
  ['a check', [LOGS, NOTES.replace(/,\n {2}CONSTRAINT .*/, ''), INDEX], CHECK],
  ['the condition of a check', [LOGS, NOTES.replace('500', '50'), INDEX], CHECK],
  ['a foreign key', [LOGS, NOTES.replace(/ {2}FOREIGN KEY .*\n/, ''), INDEX], KEY],
  [
    'AUTOINCREMENT',
    [LOGS, NOTES.replace(' AUTOINCREMENT', ''), INDEX],
    'column id is AUTOINCREMENT',
  ],
  ['an action of a key', [LOGS, NOTES.replace('DELETE no action', 'DELETE cascade'), INDEX], KEY],
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

describe('what migrations have by hand', () => {
  const byHand = {
    deferredKeys: ['notes.log_id'],
    triggers: ['notes_no_delete BEFORE DELETE ON notes'],
  }
  const TRIGGER = `CREATE TRIGGER \`notes_no_delete\` BEFORE DELETE ON \`notes\`
    WHEN OLD.id > 1 BEGIN SELECT RAISE(ABORT, 'no'); END`
  const deferred = NOTES.replace('ON DELETE no action', '$& DEFERRABLE INITIALLY DEFERRED')
  const WHOLE = [LOGS, deferred, INDEX, TRIGGER]

  it('is not missed in the declared schema', () => {
    expect(compareSchemas(WHOLE, DECLARED, byHand)).toEqual([])
  })

  it.each([
    [
      'a key that is not deferred',
      [LOGS, NOTES, INDEX, TRIGGER],
      [
        `No migration has notes: ${KEY} DEFERRABLE INITIALLY DEFERRED`,
        `The schema lacks notes: ${KEY}`,
      ],
    ],
    [
      'a trigger that is missing',
      [LOGS, deferred, INDEX],
      ['No migration has notes: trigger notes_no_delete BEFORE DELETE ON notes'],
    ],
    [
      'a trigger that runs too late',
      [LOGS, deferred, INDEX, TRIGGER.replace('BEFORE', 'AFTER')],
      [
        'No migration has notes: trigger notes_no_delete BEFORE DELETE ON notes',
        'The schema lacks notes: trigger notes_no_delete AFTER DELETE ON notes',
      ],
    ],
    [
      'a view',
      [...WHOLE, 'CREATE VIEW seen AS SELECT 1'],
      ['The schema lacks seen: CREATE VIEW seen AS SELECT 1'],
    ],
    [
      'a column that compares without case',
      [LOGS, deferred.replace('text` text', '$& COLLATE NOCASE'), INDEX, TRIGGER],
      ['The schema lacks notes: column text is COLLATE NOCASE'],
    ],
  ])('shows %s', (_, migrations, differences) => {
    expect(compareSchemas(migrations, DECLARED, byHand)).toEqual(differences)
  })

  it('shows a trigger of an append-only table that refuses nothing', () => {
    const rule = 'notes_no_update BEFORE UPDATE ON notes: notes is append-only'
    const trigger =
      "CREATE TRIGGER notes_no_update BEFORE UPDATE ON notes BEGIN SELECT RAISE(ABORT, 'notes is append-only'); END"
    const wanted = { ...byHand, triggers: [...byHand.triggers, rule] }
    expect(compareSchemas([...WHOLE, trigger], DECLARED, wanted)).toEqual([])
    const idle = trigger.replace(/SELECT .*;/, 'SELECT 1;')
    expect(compareSchemas([...WHOLE, idle], DECLARED, wanted)).toEqual([
      `No migration has notes: trigger ${rule}`,
      'The schema lacks notes: trigger notes_no_update BEFORE UPDATE ON notes',
    ])
  })
})
