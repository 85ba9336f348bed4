import { toBase64 } from '../../core/values/bytes.ts'
import type { Hash } from './merkle.ts'

/** Writes the proof that an event is in a sealed tree, as a C2SP tlog-proof. */
export const proofText = (index: number, path: readonly Hash[], checkpoint: string): string =>
  ['c2sp.org/tlog-proof@v1', `index ${index}`, ...path.map(toBase64), '', checkpoint].join('\n')
