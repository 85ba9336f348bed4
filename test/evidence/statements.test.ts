import { describe, expect, it } from 'vitest'
import { verdictOf } from '../../sdk/evidence/report.ts'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import type { Leaf } from '../../src/evidence/seal/leaf.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import {
  AGREEMENT_TEXT,
  aCancellation,
  aClosing,
  aLogEvent,
  anAccess,
  anAgreement,
  anAnswer,
  aRule,
  aSignature,
  BOTH,
  type FileLine,
  fileText,
  LATER_LEAVES,
  LATER_SEAL_COUNTS,
  personFile,
  VERIFIER_KEY,
  wholeFile,
  withPointers,
} from '../support/evidence-files.ts'

/** Tests what the verifier says of agreements, signatures and accounts, and of forged ones. */

const whole = await wholeFile(LATER_LEAVES, LATER_SEAL_COUNTS)
const person = await personFile(LATER_LEAVES, LATER_SEAL_COUNTS)

/** The faults of a whole file and of a person's file with these leaves, all in one seal. */
const faultsOfLeaves = async (...leaves: Leaf[]) => {
  const all = withPointers(leaves)
  return {
    whole: await faultsOf(fileText(await wholeFile(all, [all.length]))),
    person: await faultsOf(fileText(await personFile(all, [all.length]))),
  }
}

const withoutWords = ({ comment: _, comment_salt: __, ...line }: FileLine): FileLine => line

const closing = (id: number, values: object = {}) => aClosing(id, 1, values)
const BY_OTHER = { actor: 'c'.repeat(64), user_id: 8 }
const OTHER = { employee_id: 'E-otra', ...BY_OTHER }
const OBJECTION = { agrees: 0, comment: 'd'.repeat(64) }
const DECIDED = { event: 'decided', from: 'pending', to: 'approved' } as const
const PAPER = { how: 'paper', file: 'b'.repeat(64), signed_on: '2026-11-02' }

describe('a file with every kind of event', () => {
  it('is sound, and names accounts without a claim that the person acted', async () => {
    const report = await verifyText(fileText(person))
    const { title, checks } = textOfReport(report)
    expect([report.faults.texts, title]).toEqual([[], 'Íntegro'])
    const said = checks.map(({ text }) => text).filter((text) => /cuenta de la persona/.test(text))
    const [agreed, objected, signed] = said
    expect(agreed).toContain('Desde la cuenta de la persona se acordó, el 2 de noviembre de 2026')
    expect(agreed).toContain('con una invitación del usuario 7')
    expect(objected).toContain('objetó los renglones del cierre 1, el')
    expect(objected).toContain('y se le respondió el')
    expect(objected).toContain('; después se canceló, y no vale')
    expect(signed).toContain('firmó de conformidad los renglones del cierre 2, el')
    expect(JSON.stringify(textOfReport(report))).not.toMatch(
      /prueba plena|(?<!cuenta de )la persona firmó|cumple/,
    )
  })

  it('names each objection and answer whose words are missing, and stays sound', async () => {
    for (const lines of [whole, person]) {
      const wordless = lines.map((line) =>
        /"event":"(signed|answered)"/.test(String(line.entry)) ? withoutWords(line) : line,
      )
      const report = await verifyText(fileText(wordless), { keys: [VERIFIER_KEY] })
      expect(verdictOf(report)).toBe('sound')
      expect(report.warnings.texts).toEqual([
        'Evento 10 (cierre 1): las palabras de la objeción no vienen en el archivo, o se borraron.',
        'Evento 11 (respuesta): las palabras de la respuesta no vienen en el archivo, o se borraron.',
      ])
      expect(report.withheld).toBe(0)
    }
  })

  it('names the administrator who set the password by which an account signed', async () => {
    const { statements } = await verifyText(fileText(whole))
    expect(statements.texts[0]).toMatch(/^E-Ñandú: .* invitación de ana.torres@demo.mx, del/)
    const takenOver = [
      anAccess(1, 'invited'),
      anAccess(2, 'password_set'),
      closing(3),
      aSignature(4, 1),
    ]
    const file = await wholeFile(withPointers(takenOver), [4])
    expect((await verifyText(fileText(file))).statements.texts[0]).toMatch(
      /contraseña puesta el 2 de noviembre de 2026 .* por ana.torres@demo.mx, que es otra cuenta/,
    )
  })

  it('names who made the link, although the account changed the password later', async () => {
    const linked = anAccess(1, 'linked')
    const own = { actor: 'a'.repeat(64), user_id: 9 }
    const set = (id: number, through: number | null, values: object = own) =>
      anAccess(id, 'password_set', { ...values, through })
    const saidOf = async (...accesses: Leaf[]) => {
      const id = accesses.length + 2
      const leaves = [linked, ...accesses, closing(id), aSignature(id + 1, 1, own)]
      const file = fileText(await wholeFile(withPointers(leaves), [leaves.length]))
      expect(await faultsOf(file)).toEqual([])
      return (await verifyText(file)).statements.texts.join()
    }
    const changed = '; cambiada después desde la cuenta'
    const unknown = 'no consta quién puso la contraseña'
    const byLink = [anAccess(2, 'invited'), set(3, 2)]
    expect(await saidOf(...byLink, set(4, null))).toMatch(
      new RegExp(`con una invitación de ana.torres@demo.mx, del [^;]*${changed}`),
    )
    expect(await saidOf(...byLink, anAccess(4, 'invited'))).not.toContain('cambiada')
    expect(await saidOf(set(2, null))).toContain(unknown + changed)
    const operator = { actor: 'operator', user_id: null }
    expect(await saidOf(set(2, null, operator), set(3, null))).toContain(
      `por un operador con un comando${changed}`,
    )
    // The password of another account is not the one of this signature.
    expect(await saidOf(set(2, null, { account: 12 }))).toContain(unknown)
  })

  it('says that the file does not show who set a password, if it has no such event', async () => {
    const leaves = withPointers([closing(1), aSignature(2, 1)])
    const { statements } = await verifyText(fileText(await wholeFile(leaves, [2])))
    expect(statements.texts[0]).toContain('no consta quién puso la contraseña')
    const linked = withPointers([
      anAccess(1, 'password_set'),
      anAccess(2, 'linked'),
      anAgreement(3),
    ])
    const after = await verifyText(fileText(await wholeFile(linked, [3])))
    expect(after.statements.texts[0]).toContain('no consta quién puso la contraseña')
  })

  it('proves only sealed agreements and signatures, without unsealed answers', async () => {
    const counts = [3, 3, 4]
    for (const lines of [
      await wholeFile(LATER_LEAVES, counts),
      await personFile(LATER_LEAVES, counts),
    ]) {
      const report = await verifyText(fileText(lines))
      const { verdict, checks } = textOfReport(report)
      expect([report.faults.texts, verdict]).toEqual([[], 'partial'])
      const text = checks.map((check) => check.text).join('\n')
      expect(text).toMatch(/cuenta de la persona se acordó, el/)
      expect(text).toMatch(/la cuenta de la persona objetó los renglones del cierre 1, el/i)
      expect(text).not.toMatch(/firmó de conformidad|se le respondió|se canceló|anuló/)
    }
  })

  it('of a later version is refused, and not reported as faulty', async () => {
    const lines = [{ ...whole[0], evidence: 3 }, ...whole.slice(1)]
    await expect(verifyText(fileText(lines))).rejects.toThrow('use un verificador más nuevo')
  })
})

describe('a forged agreement', () => {
  it('with another text is a fault, as is a text that nobody agreed to', async () => {
    for (const lines of [whole, person]) {
      const withText = (change: (line: FileLine) => FileLine[]) =>
        faultsOf(fileText(lines.flatMap((line) => ('agreement' in line ? change(line) : [line]))))
      expect(await withText((line) => [{ ...line, text: 'Otra cosa.' }])).toEqual([
        'El texto «Registro electrónico» no es el de su huella.',
      ])
      expect(await withText(() => [])).toEqual([
        `Falta el texto con huella ${AGREEMENT_TEXT.agreement}.`,
      ])
      const added = { ...AGREEMENT_TEXT, agreement: 'e'.repeat(64), title: 'Añadido' }
      const [head = {}, ...rest] = lines
      expect((await faultsOf(fileText([head, added, ...rest]))).join()).toContain(
        'Nadie acordó el texto «Añadido».',
      )
      const { title, valid_from, text } = AGREEMENT_TEXT
      const moved = { title: `${title}\n${valid_from}\n${text}`, valid_from: '2020-01-01' }
      expect((await withText((line) => [{ ...line, ...moved }])).join()).toContain('«title»')
    }
  })
})

describe('events that contradict each other', () => {
  const ofOther = closing(1, { payroll_group: null, employee_id: 'E-otra' })
  const both = [closing(1), aCancellation(2, 1)]
  const answered = (values: object, answer: object = {}) => [
    closing(1),
    aSignature(2, 1, values),
    anAnswer(3, 2, answer),
  ]
  const missing = 'Evento 3 (respuesta): responde a una objeción que no consta.'
  const paper = 'Línea 3: solo un acuerdo en papel tiene escaneo y fecha, y siempre los dos.'
  const author = 'Línea 2: su autor y su usuario se contradicen.'

  it('may be of a person who objects, and of the one who answers', async () => {
    expect(await faultsOfLeaves(...answered(OBJECTION))).toEqual({ whole: [], person: [] })
  })

  it.each<[fault: string, leaves: Leaf[]]>([
    ['Evento 2 (cierre 1): el cierre ya se había hecho.', [closing(1), closing(2)]],
    ['Evento 1 (cierre 1): se cancela un cierre que no consta.', [aCancellation(1, 1)]],
    ['Evento 3 (cierre 1): el cierre ya se había cancelado.', [...both, aCancellation(3, 1)]],
    ['Evento 3 (cierre 1): el cierre ya se había hecho.', [...both, closing(3)]],
    ['Evento 3 (cierre 1): firma un cierre que ya estaba cancelado.', [...both, aSignature(3, 1)]],
    ['Evento 1 (cierre 9): firma un cierre que no consta.', [aSignature(1, 9)]],
    ['Línea 3: su objeción no tiene palabras.', [closing(1), aSignature(2, 1, { agrees: 0 })]],
    [missing, answered({})],
    ['Evento 3 (respuesta): la responde quien la hizo.', answered(OBJECTION, { user_id: 9 })],
    [
      'Evento 3 (acceso): su enlace no es el último que se hizo para la cuenta.',
      [anAccess(1, 'invited'), anAccess(2, 'invited'), anAccess(3, 'password_set', { through: 1 })],
    ],
    [
      'Evento 3 (cierre 1): es de una cuenta que no era la de la persona.',
      [anAccess(1, 'linked', { account: 12 }), closing(2), aSignature(3, 1)],
    ],
    [
      'Evento 3 (cierre 1): es de una cuenta que no era la de la persona.',
      [anAccess(1, 'unlinked'), closing(2), aSignature(3, 1)],
    ],
    [
      'Evento 1 (acuerdo): es de antes de que valiera el texto.',
      [anAgreement(1, { at: '2026-10-30T14:00:00.000Z' })],
    ],
    [
      'Evento 1 (acuerdo): es de antes de que valiera el texto.',
      [anAgreement(1, { ...BY_OTHER, ...PAPER, signed_on: '2026-10-31' })],
    ],
    [
      'Evento 1 (acuerdo): el papel tiene fecha 2026-11-04, posterior a cuando se asentó.',
      [anAgreement(1, { ...BY_OTHER, ...PAPER, signed_on: '2026-11-04' })],
    ],
    [
      'Evento 1 (acuerdo): anula un acuerdo en papel que no consta.',
      [anAgreement(1, { how: 'void', comment: 'd'.repeat(64) })],
    ],
    [paper, [anAgreement(1, { how: 'paper', signed_on: '2026-11-02' })]],
    [paper, [anAgreement(1, { file: 'b'.repeat(64) })]],
    [paper, [anAgreement(1, { signed_on: '2026-11-02' })]],
    [author, [anAccess(1, 'invited', { user_id: null })]],
    [
      'Evento 2 (checada 1): la sucursal es Sur, y antes era Norte.',
      [aLogEvent(1), aLogEvent(2, { ...DECIDED, log_id: 1, branch: 'Sur' })],
    ],
    [author, [aRule(1, { user_id: 7 })]],
    [author, [aLogEvent(1, { actor: 'import', branch: 'Norte' })]],
  ])('are a fault in both kinds of file: %s', async (fault, leaves) => {
    expect(await faultsOfLeaves(...leaves)).toEqual({ whole: [fault], person: [fault] })
  })

  it('are a fault where the file shows whose lines were signed, or who objected', async () => {
    const foreign = ['Evento 2 (cierre 1): firma renglones que no son los suyos.']
    const wrong = await faultsOfLeaves(closing(1), aSignature(2, 1, { own_lines: 'e'.repeat(64) }))
    expect(wrong.person).toEqual(foreign)
    expect((await faultsOfLeaves(ofOther, aSignature(2, 1))).whole).toEqual(foreign)
    const { whole: faults } = await faultsOfLeaves(...answered({ ...OTHER, ...OBJECTION }))
    expect(faults).toEqual([missing])
  })
})

describe('the pointers to earlier events', () => {
  it('lead to an objection that was left out', async () => {
    const lines = person.filter(({ entry }) => !String(entry).includes('"id":10,'))
    expect(await faultsOf(fileText(lines))).toEqual(
      expect.arrayContaining([
        'Evento 11 (respuesta): responde a una objeción que no consta.',
        'Evento 11 (respuesta): falta el evento 10 de esta persona.',
      ]),
    )
  })

  const faultsWith = async (leaves: readonly Leaf[], id: number, wrong: Partial<Leaf>) => {
    const changed = leaves.map((leaf) => (leaf.id === id ? ({ ...leaf, ...wrong } as Leaf) : leaf))
    const counts = [leaves.length]
    return {
      whole: await faultsOf(fileText(await wholeFile(changed, counts))),
      person: await faultsOf(fileText(await personFile(changed, counts))),
    }
  }
  const logs = withPointers([1, 2, 3].map((id) => aLogEvent(id)))

  it('name the newest event of the person: another one is a fault in both kinds of file', async () => {
    const older = ['Evento 3 (checada 3): nombra el evento 1, y el anterior es el 2.']
    expect(await faultsWith(logs, 3, { previous: 1 })).toEqual({ whole: older, person: older })
    const statement = ['Evento 18 (cierre 2): nombra el evento 11, y el anterior es el 12.']
    expect(await faultsWith(LATER_LEAVES, 18, { statement: 11 })).toEqual({
      whole: statement,
      person: statement,
    })
    const absent = ['Evento 18 (cierre 2): falta el evento 14 de esta persona.']
    expect(await faultsWith(LATER_LEAVES, 18, { statement: 14 })).toEqual({
      whole: absent,
      person: absent,
    })
  })

  it('are missing in closings, and are refused if they are later or contradict each other', async () => {
    const named = ['Evento 9 (cierre 1): nombra un evento anterior, y es de los que no tienen.']
    expect((await faultsWith(LATER_LEAVES, 9, { previous: 3 })).whole).toEqual(named)
    expect((await faultsWith(logs, 3, { previous: 3 })).whole).toEqual([
      'Línea 4: su evento anterior es posterior.',
    ])
    expect((await faultsWith(logs, 3, { statement: 3 })).whole).toEqual([
      'Línea 4: sus eventos anteriores se contradicen.',
    ])
  })

  it('name no event of another person in the file', async () => {
    const other = { employee_id: 'E-otra', actor: 'import', user_id: null }
    const leaves = withPointers([aLogEvent(1), aLogEvent(2, other), aLogEvent(3)])
    const withPrevious = (previous: number) =>
      leaves.map((leaf): Leaf => (leaf.id === 3 ? { ...leaf, previous } : leaf))
    const faultsWith = async (previous: number) =>
      faultsOf(fileText(await personFile(withPrevious(previous), [3], { people: BOTH })))
    expect(await faultsWith(1)).toEqual([])
    expect(await faultsWith(2)).toEqual([
      'Evento 3 (checada 3): nombra el evento 2, que no es de esta persona.',
    ])
  })

  it('proves that nothing is missing only up to the last seal', async () => {
    const logs = [1, 2, 3, 5].map((id) => aLogEvent(id))
    const sentencesOf = async (lines: FileLine[]) =>
      textOfReport(await verifyText(fileText(lines))).checks.map(({ text }) => text)
    const lines = await personFile(withPointers(logs), [3])
    expect(await sentencesOf(lines)).toContain(
      'Del evento 1 al 3 no falta ninguno de E-Ñandú: cada uno nombra al anterior.',
    )
    const [unsealed] = withPointers([aLogEvent(2)])
    const wholeLines = await wholeFile([aLogEvent(1), unsealed as Leaf], [1])
    expect((await sentencesOf(wholeLines)).join()).not.toContain('nombra al anterior')
  })
})
