import { describe, expect, it } from 'vitest'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import type { Leaf } from '../../src/evidence/leaf.ts'
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

const closing = (id: number, values: object = {}) => aClosing(id, 1, values)
const OTHER = { employee_id: 'E-otra', actor: 'c'.repeat(64), user_id: 8 }
const OBJECTION = { agrees: 0, comment: 'd'.repeat(64) }
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

  it('has a fault if a link is not the newest, or the account was not the person’s', async () => {
    const older = await faultsOfLeaves(
      anAccess(1, 'invited'),
      anAccess(2, 'invited'),
      anAccess(3, 'password_set', { through: 1 }),
    )
    const notNewest = 'Evento 3 (acceso): su enlace no es el último que se hizo para la cuenta.'
    expect(older).toEqual({ whole: [notNewest], person: [notNewest] })
    const foreign = 'Evento 3 (cierre 1): es de una cuenta que no era la de la persona.'
    for (const access of [anAccess(1, 'linked', { account: 12 }), anAccess(1, 'unlinked')]) {
      const { whole: faults } = await faultsOfLeaves(access, closing(2), aSignature(3, 1))
      expect(faults).toEqual([foreign])
    }
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

  it('from before its text was valid, or on a paper dated after its event, is a fault', async () => {
    const early = { at: '2026-10-30T14:00:00.000Z' }
    const { whole: faults } = await faultsOfLeaves(
      anAgreement(1, early),
      anAgreement(2, { ...OTHER, ...PAPER, signed_on: '2026-10-31' }),
      anAgreement(3, { ...OTHER, ...PAPER, signed_on: '2026-11-04' }),
    )
    expect(faults).toEqual([
      'Evento 1 (acuerdo): es de antes de que valiera el texto.',
      'Evento 2 (acuerdo): es de antes de que valiera el texto.',
      'Evento 3 (acuerdo): el papel tiene fecha 2026-11-04, posterior a cuando se asentó.',
    ])
  })

  it('that makes void a paper without an event is a fault', async () => {
    const { whole: faults } = await faultsOfLeaves(
      anAgreement(1, { how: 'void', comment: 'd'.repeat(64) }),
    )
    expect(faults).toEqual(['Evento 1 (acuerdo): anula un acuerdo en papel que no consta.'])
  })

  it.each([
    ['paper without a scan', { how: 'paper', signed_on: '2026-11-02' }],
    ['an app with a scan', { file: 'b'.repeat(64) }],
    ['an app with a day', { signed_on: '2026-11-02' }],
  ])('is refused: %s', async (_, values) => {
    const { whole: faults } = await faultsOfLeaves(anAgreement(1, values))
    expect(faults).toEqual([
      'Línea 3: solo un acuerdo en papel tiene escaneo y fecha, y siempre los dos.',
    ])
  })
})

describe('a forged signature', () => {
  it('of a cancelled closing, or of one that never was, is a fault', async () => {
    const cancelled = await faultsOfLeaves(closing(1), aCancellation(2, 1), aSignature(3, 1))
    const fault = ['Evento 3 (cierre 1): firma un cierre que ya estaba cancelado.']
    expect(cancelled).toEqual({ whole: fault, person: fault })
    const { whole: unknown, person: outside } = await faultsOfLeaves(aSignature(1, 9))
    expect(unknown).toEqual(['Evento 1 (cierre 9): firma un cierre que no consta.'])
    expect(outside).toEqual(unknown)
  })

  it('of other lines, or of a closing of another person, is a fault', async () => {
    const others = await faultsOfLeaves(closing(1), aSignature(2, 1, { own_lines: 'e'.repeat(64) }))
    expect(others.person).toEqual(['Evento 2 (cierre 1): firma renglones que no son los suyos.'])
    const ofOther = closing(1, { payroll_group: null, employee_id: 'E-otra' })
    const { whole: faults } = await faultsOfLeaves(ofOther, aSignature(2, 1))
    expect(faults).toEqual(['Evento 2 (cierre 1): firma renglones que no son los suyos.'])
  })

  it('with an objection left out is a fault', async () => {
    const lines = person.filter(({ entry }) => !String(entry).includes('"id":10,'))
    const report = await verifyText(fileText(lines))
    expect(report.faults.texts).toContain(
      'Evento 11 (respuesta): responde a una objeción que no consta.',
    )
    expect(report.faults.texts).toContain(
      'Evento 11 (respuesta): falta el evento 10 de esta persona.',
    )
  })

  it('is refused as an objection without words', async () => {
    const { whole: faults } = await faultsOfLeaves(closing(1), aSignature(2, 1, { agrees: 0 }))
    expect(faults).toEqual(['Línea 3: su objeción no tiene palabras.'])
  })

  it('has a faulty answer if it is no objection, is of another person, or its signer answers', async () => {
    const answer = (values: object, answered: object = {}) =>
      faultsOfLeaves(closing(1), aSignature(2, 1, values), anAnswer(3, 2, answered))
    const missing = 'Evento 3 (respuesta): responde a una objeción que no consta.'
    expect((await answer({})).whole).toEqual([missing])
    expect((await answer({ ...OTHER, ...OBJECTION })).whole).toEqual([missing])
    expect((await answer(OBJECTION, { user_id: 9 })).whole).toEqual([
      'Evento 3 (respuesta): la responde quien la hizo.',
    ])
    expect((await answer(OBJECTION)).whole).toEqual([])
  })
})

describe('the user of an event', () => {
  const refused = ['Línea 2: su autor y su usuario se contradicen.']

  it.each([
    ['an access without a user', anAccess(1, 'invited', { user_id: null })],
    ['a rule by a command and a user', aRule(1, { user_id: 7 })],
    ['a log of a user by an import', aLogEvent(1, { actor: 'import', branch: 'Norte' })],
  ])('is required, unless an import or a command acted: %s is refused', async (_, leaf) => {
    expect(await faultsOfLeaves(leaf)).toEqual({ whole: refused, person: refused })
  })
})

describe('the pointers to earlier events', () => {
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

  it('of the same log must have the same branch', async () => {
    const moved = LATER_LEAVES.map(
      (leaf): Leaf => (leaf.id === 14 ? ({ ...leaf, branch: 'Sur' } as Leaf) : leaf),
    )
    expect(await faultsOf(fileText(await wholeFile(moved, LATER_SEAL_COUNTS)))).toEqual([
      'Evento 14 (checada 7): la sucursal es Sur, y antes era Norte.',
    ])
  })
})
