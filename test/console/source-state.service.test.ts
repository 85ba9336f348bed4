import { beforeAll, expect, it } from 'vitest'
import { importConsole, stubBrowser } from '../support/browser-globals.ts'

/** What *Relojes* says of a clock, without a browser. */

type SourceState = {
  clockLook: (clock: object) => readonly [look: string, icon: string, text: string] | undefined
}

let state: SourceState
beforeAll(async () => {
  stubBrowser('http://localhost')
  state = await importConsole('clocks/source-state')
})

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const clock = (more: object = {}) => ({
  ...{ serial: 'A1', label: null, seconds_off: 0, receiving: true, last_seen_at: ago(0.1) },
  complete_until: ago(0.2),
  ...more,
})
const textOf = (more: object = {}) => state.clockLook(clock(more))?.[2]

it('says of a clock that was just added that it still sends, until it has, or is silent', () => {
  expect(textOf()).toBe('Recibiendo lo que tiene')
  expect(textOf({ receiving: false })).toBeUndefined()
  for (const complete_until of [ago(600), null]) {
    expect(textOf({ receiving: false, complete_until })).toBe('No se sabe si envió todo')
  }
  expect(textOf({ last_seen_at: ago(48) })).toBeUndefined()
  expect(textOf({ seconds_off: 3600 })).toBe('No está en hora')
  expect(textOf({ last_seen_at: null })).toBe('Todavía no ha llamado')
})
