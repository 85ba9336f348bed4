import { equal } from '../../src/core/values/bytes.ts'
import {
  isOfKey,
  openCheckpoint,
  parseCheckpoint,
  readNote,
  type VerifierKey,
} from '../../src/evidence/seal/checkpoint.ts'
import type { Hash } from '../../src/evidence/seal/merkle.ts'
import type { Findings } from './report.ts'
import { UnreadableFile } from './unreadable.ts'
import { plural } from './words.ts'

/** A checkpoint that somebody kept. `name` is the name of its file. */
export interface KeptCheckpoint {
  name: string
  text: string
}

/** A checkpoint has only a few lines, so a larger file is rejected before it is read. */
export const CHECKPOINT_MAX_BYTES = 64 * 1024

/**
 * Mail programs and editors change line ends, and add line feeds at the end of a file, or a byte
 * order mark at its start.
 */
const withLineFeeds = (text: string): string =>
  `${text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')}\n`

/** Whether a text begins as a checkpoint, whatever its signature lines are. */
const beginsAsCheckpoint = (text: string): boolean => {
  const end = text.lastIndexOf('\n\n')
  return end >= 0 && parseCheckpoint(text.slice(0, end + 1)) !== undefined
}

/**
 * Whether a checkpoint that no key has validly signed was damaged: its signature is malformed, or
 * names one of the keys but does not fit. Then nobody knows what it said.
 */
const isDamaged = (text: string, keys: readonly VerifierKey[]): boolean => {
  const note = readNote(text)
  return !note || note.signatures.some((signature) => keys.some((key) => isOfKey(signature, key)))
}

/** Compares checkpoints that somebody kept with the file. */
export class KeptCheckpoints {
  /** The kept roots that are not compared yet, by the size of their tree. */
  readonly #roots = new Map<number, Hash>()
  readonly #faults: Findings
  /** The sizes of the kept checkpoints that agree with the file. */
  readonly agreedSizes: number[] = []

  constructor(faults: Findings) {
    this.#faults = faults
  }

  /**
   * Reads kept checkpoints and checks their signatures.
   * @throws UnreadableFile if a text is no checkpoint or damaged, which is no fault of the evidence
   */
  async read(notes: readonly KeptCheckpoint[], keys: readonly VerifierKey[]): Promise<void> {
    for (const { name, text: keptText } of notes) {
      const text = withLineFeeds(keptText)
      if (!beginsAsCheckpoint(text)) throw new UnreadableFile(`${name} no es un sello.`)
      const checkpoint = await openCheckpoint(text, keys)
      if (!checkpoint && isDamaged(text, keys)) {
        throw new UnreadableFile(
          `El sello guardado ${name} está dañado: su firma no es de lo que dice. Use otra copia.`,
        )
      }
      if (!checkpoint) {
        this.#faults.add(`El sello guardado ${name} no está firmado con la llave de este archivo.`)
        continue
      }
      const { size, root } = checkpoint
      const other = this.#roots.get(size)
      if (other && !equal(other, root)) {
        this.#faults.add(
          `Dos sellos guardados de ${size} eventos se contradicen: hubo dos evidencias distintas.`,
        )
      }
      this.#roots.set(size, root)
    }
  }

  has(size: number): boolean {
    return this.#roots.has(size)
  }

  /** Compares the file's root at a size with the kept root of that size, if there is one. */
  compare(size: number, root: Hash): void {
    const kept = this.#roots.get(size)
    if (!kept) return
    this.#roots.delete(size)
    if (equal(kept, root)) this.agreedSizes.push(size)
    else {
      this.#faults.add(
        `La evidencia no es la del sello guardado: sus primeros ${size} eventos eran otros.`,
      )
    }
  }

  /** Reports the kept checkpoints that could not be compared with the file, which ends at a size. */
  end(size: number, warnings: Findings): void {
    for (const kept of [...this.#roots.keys()].sort((a, b) => a - b)) {
      if (kept > size) {
        this.#faults.add(
          `Se entregó un sello de ${plural(kept, 'evento')}, y este archivo solo llega a ${size}: ${kept - size === 1 ? 'falta' : 'faltan'} ${kept - size}.`,
        )
      } else {
        warnings.add(
          `El sello guardado de ${plural(kept, 'evento')} no se puede comparar con este archivo; con el completo, sí.`,
        )
      }
    }
  }
}
