import { describe, expect, it } from 'vitest'
import { textOf } from '../../sdk/evidence/lines.ts'
import { verdictOf } from '../../sdk/evidence/report.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { toBase64 } from '../../src/core/values/bytes.ts'
import { type Leaf, leafText } from '../../src/evidence/seal/leaf.ts'
import { leafHash } from '../../src/evidence/seal/merkle.ts'
import { faultsOf, keptCheckpoint, verifyText } from '../support/evidence.ts'
import {
  aCancellation,
  aClosing,
  aLogEvent,
  anAccess,
  aRule,
  COMMENT,
  type FileLine,
  fileText,
  LATER_LEAVES,
  personFile,
  SOME_LEAVES,
  SOME_SEAL_SIZES,
  VERIFIER_KEY,
  wholeFile,
  withPointers,
} from '../support/evidence-files.ts'

const whole = await wholeFile(SOME_LEAVES, SOME_SEAL_SIZES)
const person = await personFile(SOME_LEAVES, SOME_SEAL_SIZES)

const withLine = (lines: readonly FileLine[], at: number, change: (line: FileLine) => FileLine) =>
  fileText(lines.map((line, i) => (i === at ? change(line) : line)))

const expectUnreadable = async (text: string, line: number, flaw: string) => {
  const error = await verifyText(text).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(UnreadableFile)
  expect(error.message).toMatch(new RegExp(`^Línea ${line}: `))
  expect(error.message).toContain(flaw)
}

const indexOf = (lines: readonly FileLine[], name: string, nth = 0) =>
  lines.flatMap((line, i) => (name in line ? [i] : []))[nth] ?? expect.unreachable(name)

describe('a leaf', () => {
  /** A whole file of one signed event. `entry` may be a text that the service never writes. */
  const signedFile = async (leaf: object) => {
    const sorted = Object.entries(leaf).sort(([x], [y]) => (x < y ? -1 : 1))
    const entry = JSON.stringify(Object.fromEntries(sorted))
    const lines = await wholeFile([aLogEvent(1)], [1])
    return fileText(
      lines.map((line) => ({
        ...line,
        ...('entry' in line && { entry }),
        ...('leaves' in line && { leaves: toBase64(leafHash(entry)) }),
      })),
    )
  }

  const shown = JSON.parse(String(person.findLast(({ entry }) => entry)?.entry)) as Leaf
  const kinds = new Map([...LATER_LEAVES, shown].map((leaf) => [leaf.event, leaf]))
  it.each([...kinds])('has exactly its fields, each of its own type: %s', async (_, leaf) => {
    expect(JSON.parse(leafText(Object.assign({ other: 1 }, leaf)))).toEqual(leaf)
    for (const name of Object.keys(leaf)) {
      for (const value of [undefined, 1.5, -1, [], {}, true, 'a\ud800']) {
        await expectUnreadable(await signedFile({ ...leaf, [name]: value }), 2, '')
      }
    }
    await expectUnreadable(await signedFile({ ...leaf, x: 1 }), 2, 'sobra el campo «x»')
  })

  const closed = aClosing(1, 1)
  const decision = { ...aLogEvent(1), event: 'decided', from: 'pending' }
  const invited = anAccess(1, 'invited')
  const DAY = '2026-11-01'
  const IMPORTED = { actor: 'import', user_id: null }
  it.each([
    ['a later version', { ...aLogEvent(1), v: 2 }, 'el campo «v»'],
    ['an unknown kind of event', { ...aLogEvent(1), event: 'moved' }, 'no es de los que se sellan'],
    ['a salt of the wrong length', aLogEvent(1, { salt: 'ab' }), 'el campo «salt»'],
    ['a salt in capitals', aLogEvent(1, { salt: 'AB'.repeat(16) }), 'el campo «salt»'],
    ['30 February', aLogEvent(1, { at: '2026-02-30T00:00:00.000Z' }), 'el campo «at»'],
    ['a year of five digits', aLogEvent(1, { at: '+020261-11-02T14:00:00.000Z' }), 'el campo «at»'],
    ['a decision without an earlier status', aLogEvent(1, { event: 'decided' }), 'el campo «from»'],
    ['a decision without a user', { ...decision, user_id: null }, 'el campo «user_id»'],
    ['an unknown status', aLogEvent(1, { to: 'Approved' }), 'el campo «to»'],
    ['an unknown kind of log', aLogEvent(1, { kind: 'pausa' }), 'el campo «kind»'],
    ['a closing until 31 November', { ...closed, before: '2026-11-31' }, 'el campo «before»'],
    ['a closing until a time', { ...closed, before: `${DAY}T00:00:00.000Z` }, 'el campo «before»'],
    ['a closing of a group and a person', { ...closed, employee_id: 'E-1' }, 'a la vez'],
    ['lines in capitals', { ...closed, lines: 'C'.repeat(64) }, 'el campo «lines»'],
    ['an imported closing', { ...closed, ...IMPORTED }, 'el campo «user_id»'],
    ['an invitation through a link', { ...invited, through: 1 }, 'se pone con un enlace'],
    ['a download by nobody', { ...shown, ...IMPORTED }, 'el campo «user_id»'],
    [
      'a clock’s number of nobody',
      aRule(1, { rule: 'number', value: '\t7', employee_id: null }),
      'no es de una persona',
    ],
    ['a clock’s number without a number', aRule(1, { rule: 'number' }), 'no es de una persona'],
  ] as [string, object, string][])('is refused, though signed: %s', async (_, leaf, flaw) => {
    await expectUnreadable(await signedFile(leaf), 2, flaw)
  })

  it('may be of a clock that sends its logs by itself, or a clock’s number of a person', async () => {
    const ofClock = aLogEvent(1, { actor: 'clock', user_id: null, source: 'clock hxpush21' })
    const number = aRule(2, { rule: 'number', value: 'hxpush21\t317' })
    const file = await wholeFile(withPointers([ofClock, number]), [2])
    expect(await faultsOf(fileText(file))).toEqual([])
  })
})

describe('the events of closings', () => {
  it('are sealed with the events of logs, without gaps, and counted', async () => {
    const report = await verifyText(fileText(whole), { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    expect(verdictOf(report)).toBe('sound')
    expect([report.events, report.logs, report.closings]).toEqual([10, 4, 2])
    expect(textOfReport(report).details[0]?.text).toBe('Toda la evidencia, con 2 cierres')
  })

  it('prove what they pay the person of a file, and its cancellation, once sealed', async () => {
    const reportOf = async (seals: number[]) =>
      verifyText(fileText(await personFile(SOME_LEAVES, seals)))
    const ownClosings = async (seals: number[]) => (await reportOf(seals)).ownClosings
    const seconds = { paid_seconds: 28_800, deducted_seconds: 1_800 }
    const paid = { employee_id: 'E-Ñandú', before: '2026-11-02', ...seconds }
    const first = { ...paid, id: 1, isCancelled: true }
    const second = { ...paid, id: 2, isCancelled: false }
    expect(await ownClosings([3, 2, 1, 4])).toEqual([first, second])
    expect(await ownClosings([3, 2, 1])).toEqual([{ ...first, isCancelled: false }])
    const partial = JSON.stringify(textOfReport(await reportOf([3, 2, 1])).checks)
    expect(partial).toContain('Ningún evento sellado de este archivo lo cancela.')
    expect(partial).toContain('Trae 1 cierre sellado y ninguna cancelación sellada.')
    expect(partial).not.toContain('los cancelados se cancelaron una vez')
    const all = JSON.stringify(textOfReport(await reportOf([3, 2, 1, 4])).checks)
    expect(all).toContain('Trae 2 cierres sellados y 1 cancelación sellada.')
    expect(await ownClosings([])).toEqual([])
  })

  it('are a fault if one is missing', async () => {
    const file = await wholeFile([aClosing(1, 1), aCancellation(3, 1)], [2])
    expect(await faultsOf(fileText(file))).toEqual(['Antes del evento 3 falta el 2.'])
  })

  it('must have valid dates, like other events', async () => {
    const late = { ...aCancellation(9, 2), at: '2026-11-02T14:00:00.000Z' } as Leaf
    const leaves = [...SOME_LEAVES.slice(0, 8), aClosing(9, 2), { ...late, id: 10 }]
    const faults = await faultsOf(fileText(await wholeFile(leaves, [8, 2])))
    expect(faults.join()).toMatch(/^Evento 10 \(cierre 2\): tiene fecha .* se antedató\.$/)
  })

  it('of other people are refused in a person’s file', async () => {
    const leaves = [aLogEvent(1), aClosing(2, 1, { payroll_group: null, employee_id: 'E-otra' })]
    const lines = await personFile(leaves, [])
    const [closing] = person.filter(({ lines }) => lines)
    const { proof: _, ...unsealed }: FileLine = { ...closing, entry: leafText(leaves[1] as Leaf) }
    const end = { end: { events: 3, seals: 0 } }
    const text = fileText([...lines.slice(0, 2), unsealed, ...lines.slice(2, -1), end])
    expect(await faultsOf(text)).toEqual([
      'Evento 2 (cierre 1): no es de lo que trata el archivo.',
      'Evento 3 (entrega): se entregó con 1 evento más, y trae 2.',
    ])
  })
})

describe('the form of a line', () => {
  const placeOf = (lines: FileLine[], name: string, nth = 0) => {
    const at = indexOf(lines, name, nth)
    return { lines, at, line: lines[at] ?? {} }
  }
  const head = placeOf(whole, 'evidence')
  const comment = placeOf(whole, 'comment')
  const seal = placeOf(whole, 'seal')
  const wholeClosing = placeOf(whole, 'entry', 4)
  const end = placeOf(whole, 'end')
  const personHead = placeOf(person, 'evidence')
  const proven = placeOf(person, 'proof')
  const personSeal = placeOf(person, 'seal')
  const closing = placeOf(person, 'hashes')

  const checkpoint = String(seal.line.checkpoint)
  const signature = checkpoint.slice(checkpoint.indexOf('\u2014'))
  const proofWithMore = String(proven.line.proof).replace('\nindex', '\nextra AAAA\nindex')
  const comment_salt = COMMENT.comment_salt.slice(0, -2)
  const cutSalt = { comment: `a\n${COMMENT.comment}`, comment_salt }
  const [firstDay, ...otherDays] = closing.line.lines as FileLine[]
  const withDay = (values: object) => ({ lines: [{ ...firstDay, ...values }, ...otherDays] })

  const wrong = (field: string) => `el campo «${field}»`
  const missing = (field: string) => `falta el campo «${field}»`
  const extra = (field: string) => `sobra el campo «${field}»`
  const moreText = { checkpoint: checkpoint.replace('\n\n', '\nx\n\n') }

  it.each([
    ['a salt that lost characters to its text', comment, cutSalt, wrong('comment_salt')],
    ['an empty comment', comment, { comment: '' }, wrong('comment')],
    ['a comment of 501 code points', comment, { comment: '🙂'.repeat(501) }, wrong('comment')],
    ['half a character', comment, { comment: 'a\ud800' }, wrong('comment')],
    ['a comment that is no text', comment, { comment: ['x'] }, wrong('comment')],
    ['no leaves', seal, { leaves: '' }, wrong('leaves')],
    ['half a leaf', seal, { leaves: btoa('x'.repeat(48)) }, wrong('leaves')],
    ['a second signature', seal, { checkpoint: checkpoint + signature }, wrong('checkpoint')],
    ['an extra line in the signed text', seal, moreText, wrong('checkpoint')],
    ['a repeated token', seal, { tokens: ['AAAA', 'AAAA'] }, wrong('tokens')],
    ['a seal without events', personSeal, { count: 0 }, wrong('count')],
    ['a seal of 1,025 events', personSeal, { count: 1_025 }, wrong('count')],
    ['a proof with extra content', proven, { proof: proofWithMore }, wrong('proof')],
    ['a closing that pays nothing', closing, { lines: [] }, wrong('lines')],
    ['a closing that pays a day twice', closing, { lines: [firstDay, firstDay] }, wrong('lines')],
    ['a day with a field too many', closing, withDay({ full_name: 'Ana' }), wrong('lines')],
    ['a part of a second', closing, withDay({ held_seconds: 0.5 }), wrong('lines')],
    ['about: null', personHead, { about: null }, wrong('about')],
    ['actors: {x: null}', head, { actors: { x: null } }, wrong('actors')],
    ['actors: null', head, { actors: null }, wrong('actors')],
    ['a repeated key', head, { keys: [VERIFIER_KEY, VERIFIER_KEY] }, wrong('keys')],
    ['an end that is null', end, { end: null }, wrong('end')],
    ['a salt without a comment', comment, { comment: undefined }, missing('comment')],
    ['a closing with hashes and no lines', closing, { lines: undefined }, extra('hashes')],
    ['a closing without its hashes', closing, { hashes: undefined }, missing('hashes')],
    ['a count in a whole file', seal, { count: 3 }, extra('count')],
    ['leaves in a person’s file', personSeal, { leaves: 'AAAA' }, extra('leaves')],
    ['a proof in a whole file', comment, { proof: 'x' }, extra('proof')],
    ['lines in a whole file', wholeClosing, { hashes: [], lines: [] }, extra('hashes')],
    ['a person’s file with actors', personHead, { actors: {} }, extra('actors')],
  ])('is refused with its number: %s', async (_, { lines, at }, values, flaw) => {
    const text = withLine(lines, at, (line) => ({ ...line, ...values }))
    await expectUnreadable(text, at + 1, flaw)
  })

  it('is refused with its names in a different order', async () => {
    const text = withLine(whole, comment.at, ({ entry, ...line }) => ({ ...line, entry }))
    await expectUnreadable(text, comment.at + 1, 'en otro orden')
  })

  it.each([
    ['a repeated name', '{"entry"', '{"entry":"x","entry"'],
    ['a carriage return', '\n', '\r\n'],
    ['a number with an exponent', '"seal":1,', '"seal":1e0,'],
    ['a name twice in an entry', '\\"actor\\"', '\\"actor\\":\\"import\\",\\"actor\\"'],
    ['an empty line', '\n', '\n\n'],
    ['a byte order mark', '{"evidence"', '\ufeff{"evidence"'],
    ['arrays in arrays', '{"entry"', '['.repeat(100_000)],
  ])('is refused as JSON: %s', async (_, part, other) => {
    const text = fileText(whole)
    expect(text).toContain(part)
    await expect(verifyText(text.replace(part, other))).rejects.toThrow(UnreadableFile)
  })

  it.each([
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['the line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('is refused as saved again, with %s', async (_, change) => {
    await expect(verifyText(change(fileText(whole)))).rejects.toThrow(
      /^Otro programa guardó el archivo .*: use el que se descargó\.$/,
    )
  })

  it('is refused if its bytes are not UTF-8', async () => {
    const bytes = new Blob([Uint8Array.of(0x7b, 0xff)]).stream()
    await expect(textOf(bytes).next()).rejects.toThrow(UnreadableFile)
  })

  it.each([
    ['of a whole file', whole],
    ['of a person’s', person],
  ])('does not let a seal occur twice: %s', async (_, lines) => {
    const at = indexOf(lines, 'seal')
    const text = fileText(lines.toSpliced(at + 1, 0, lines[at] ?? {}))
    await expect(verifyText(text)).rejects.toThrow(
      `Línea ${at + 2}: el sello 1 está repetido o fuera de orden.`,
    )
  })

  it('refuses needless seals in a person’s file: repeated sizes and older empty ones', async () => {
    const at = indexOf(person, 'seal')
    const first = person[at] ?? {}
    const again = fileText(person.toSpliced(at + 1, 0, { ...first, seal: 2, consistency: [] }))
    await expect(verifyText(again)).rejects.toThrow(
      `Línea ${at + 2}: el sello 2 no agrega eventos al anterior.`,
    )
    // Removes the events of seal 2: one of a log and one of a closing.
    const empty = fileText(person.toSpliced(indexOf(person, 'entry', 2), 2))
    await expect(verifyText(empty)).rejects.toThrow(`el sello 2, antes de este, está vacío.`)
  })

  it.each([
    ['the evidence itself', fileText(whole)],
    ['nothing', ''],
    ['a checkpoint without its signature', 'PeterNeumann\n5\nAAAA\n'],
  ])('of a kept checkpoint is refused, and is no fault of the file: %s', async (_, text) => {
    const checkpoints = [keptCheckpoint('adjunto.txt', text)]
    await expect(verifyText(fileText(whole), { checkpoints })).rejects.toThrow(
      /^adjunto\.txt no es un sello\.$/,
    )
  })

  it.each([
    ['of an e-mail', checkpoint.replaceAll('\n', '\r\n')],
    ['of an old Mac', checkpoint.replaceAll('\n', '\r')],
    ['with blank lines at the end', `${checkpoint}\n\r\n`],
    ['without the last one', checkpoint.trimEnd()],
    ['of an editor that adds a byte order mark', `\ufeff${checkpoint}`],
  ])('of a kept checkpoint may have line ends %s', async (_, text) => {
    const checkpoints = [keptCheckpoint('adjunto.txt', text)]
    const report = await verifyText(fileText(whole), { checkpoints })
    expect([report.faults.texts, report.kept]).toEqual([[], [SOME_SEAL_SIZES[0]]])
  })

  const signed = checkpoint.slice(0, checkpoint.indexOf('\u2014'))
  it.each([
    ['is cut', checkpoint.slice(0, -20)],
    ['has another letter', signed + signature.replace(/\w{3}=/, 'AAA=')],
    ['has a blank too many', checkpoint.replace('\u2014 ', '\u2014  ')],
    ['is of another number', checkpoint.replace('\n3\n', '\n4\n')],
  ])('of a kept checkpoint is unreadable, and no fault, if its signature %s', async (_, text) => {
    expect(text).not.toBe(checkpoint)
    const checkpoints = [keptCheckpoint('adjunto.txt', text)]
    await expect(verifyText(fileText(whole), { checkpoints })).rejects.toThrow(
      new UnreadableFile(
        'El sello guardado adjunto.txt está dañado: su firma no es de lo que dice. Use otra copia.',
      ),
    )
  })

  it('of a kept checkpoint may be valid, but a different key is a fault', async () => {
    const checkpoints = [keptCheckpoint('otro.txt', checkpoint.replaceAll('PeterNeumann', 'otra'))]
    expect(await faultsOf(fileText(whole), { checkpoints })).toEqual([
      'El sello guardado otro.txt no está firmado con la llave de este archivo.',
    ])
  })

  it('of a given key is checked', async () => {
    await expect(verifyText(fileText(whole), { keys: ['x'] })).rejects.toThrow(
      'La llave que se indicó no es de verificación: x',
    )
  })
})

describe('the verdict', () => {
  it.each([
    [1, 'Íntegro hasta el sello 1; 1 evento sin sellar'],
    [2, 'Íntegro hasta el sello 1; 2 eventos sin sellar'],
  ])('names each of %i unsealed events, and does not prove them', async (count, title) => {
    const leaves = SOME_LEAVES.slice(0, 2 + count)
    const file = fileText(await wholeFile(leaves, [2]))
    const report = await verifyText(file, { keys: [VERIFIER_KEY] })
    expect(verdictOf(report)).toBe('partial')
    expect(report.unsealed.texts[0]).toBe('Evento 3 (checada 1), del 2026-11-02T15:00:00.000Z')
    expect(report.unsealed.texts).toHaveLength(count)
    const text = textOfReport(report)
    expect(text.title).toBe(title)
    expect(text.summary[0]).toContain('2 eventos de 2 checadas, tal como se sellaron')
  })

  it('proves nothing without a seal, with or without an agreed key', async () => {
    const lines = await wholeFile(SOME_LEAVES, [])
    const claimed = { ...lines[0], origin: 'PeterNeumann', keys: [VERIFIER_KEY] }
    for (const keys of [[], [VERIFIER_KEY]]) {
      for (const all of [lines, [claimed, ...lines.slice(1)]]) {
        const report = await verifyText(fileText(all), { keys })
        const text = textOfReport(report)
        expect(verdictOf(report)).toBe('unsealed')
        expect(text.title).toBe('Sin sellos: nada de esto está probado')
        expect([report.areKeysAgreed, report.keys]).toEqual([false, []])
        expect([text.checks, report.unsealed.count]).toEqual([[], 10])
        expect(JSON.stringify(text)).not.toContain('tal como se sell')
      }
    }
    const given = await verifyText(fileText(lines), { keys: [VERIFIER_KEY] })
    expect(given.warnings.texts).toContain(
      `Esta llave no firmó ningún sello del archivo: ${VERIFIER_KEY}`,
    )
  })

  it('is not given for a whole file without events', async () => {
    await expect(verifyText(fileText(await wholeFile([], [])))).rejects.toThrow(
      'Línea 2: el archivo no trae ningún evento.',
    )
  })

  it('has faults if the first line names keys that signed nothing', async () => {
    const withKeys = (keys: string[]) => withLine(whole, 0, (line) => ({ ...line, keys }))
    const other = 'otra+9a1f4c3b+AQ=='
    expect(await faultsOf(withKeys([]))).not.toEqual([])
    expect(await faultsOf(withKeys([other, VERIFIER_KEY]))).toEqual([
      `Línea 1: la llave no es de verificación: ${other}`,
    ])
    expect(await faultsOf(withKeys([]), { keys: [VERIFIER_KEY] })).toEqual([
      'Las llaves de la primera línea no son las que firmaron los sellos.',
    ])
  })

  it('says until when a person’s file is complete, and what an operator could leave out', async () => {
    const leaves = SOME_LEAVES.slice(0, 5)
    const report = await verifyText(fileText(await personFile(leaves, [3, 2])))
    expect(verdictOf(report)).toBe('sound')
    const text = textOfReport(report)
    expect(text.summary).toContain(
      'Trae sus checadas del 1 de noviembre de 2026 a las 2:00:00 p.m. (UTC) hasta antes del 3 de noviembre de 2026 a las 2:00:00 p.m. (UTC). Completo hasta el 2 de noviembre de 2026 a las 4:00:00 p.m. (UTC) (evento 6); de lo posterior, y de otras checadas, no dice nada.',
    )
    expect(text.limits.join(' ')).toContain('con una entrega hecha a la medida, lo último')
  })

  it.each([
    ['seal', 2],
    ['size', 9],
    ['at', '2026-11-02T23:00:00.000Z'],
  ])('has faults if a person’s file begins with a different %s', async (name, value) => {
    const until = { ...(person[0]?.until as object), [name]: value }
    expect(await faultsOf(withLine(person, 0, (line) => ({ ...line, until })))).toEqual([
      'La primera línea no dice hasta qué sello llega el archivo.',
    ])
  })

  it('has faults if an event of a sealed part has no seal', async () => {
    const lines = await personFile(SOME_LEAVES, [3, 2, 5])
    const at = indexOf(lines, 'entry', 1)
    const { proof, ...event } = lines[at] ?? {}
    const moved = [...lines.toSpliced(at, 1).slice(0, -1), event, lines.at(-1) ?? {}]
    expect((await faultsOf(fileText(moved))).join(' ')).toContain('le falta su sello')
    expect(proof).toBeDefined()
  })

  it('has faults if a seal has more events than it can have', async () => {
    const at = indexOf(person, 'seal', 1)
    expect(await faultsOf(withLine(person, at, (line) => ({ ...line, count: 1 })))).toEqual([
      'Sello 2: no pudo tener 1 evento.',
    ])
  })

  it('keeps warnings apart from faults', async () => {
    const text = textOfReport(await verifyText(fileText(whole)))
    expect(text.findings.map(({ kind }) => kind)).toEqual(['warnings'])
    const faulty = textOfReport(await verifyText(fileText(whole.toSpliced(2, 1))))
    expect(faulty.title).toBe('Con fallas')
    expect(faulty.findings.map(({ kind }) => kind)).toEqual(['faults', 'warnings'])
  })
})
