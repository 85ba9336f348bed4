import { describe, expect, it } from 'vitest'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { unzipped } from '../../sdk/evidence/unzip.ts'
import { bytesOf, concat } from '../../src/core/values/bytes.ts'

/** Repeats a text, in chunks of a megabyte. Nothing holds the whole. */
const repeated = (text: string, megabytes: number): ReadableStream<Uint8Array> => {
  const chunk = bytesOf(text.repeat(Math.ceil(1_000_000 / text.length)))
  let left = megabytes
  return new ReadableStream({
    pull: (controller) => {
      if (left-- > 0) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

const zip = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const zipped = stream.pipeThrough(new CompressionStream('gzip') as never)
  return new Uint8Array(await new Response(zipped as ReadableStream).arrayBuffer())
}

const read = async (bytes: Uint8Array): Promise<number> => {
  let lines = 0
  const texts = textOf(unzipped(new Blob([bytes as never]).stream(), bytes.length))
  for await (const _ of linesOf(texts)) lines++
  return lines
}

describe('a file of evidence', () => {
  it('may be compressed, whatever its name is', async () => {
    expect(await read(bytesOf('a\nb\n'))).toBe(2)
    expect(await read(await zip(repeated('una línea\n', 3)))).toBeGreaterThan(290_000)
    expect(await read(new Uint8Array())).toBe(0)
  })

  it('is unreadable if it becomes a hundred times as large', async () => {
    const bomb = await zip(repeated('a\n', 200))
    expect(bomb.length).toBeLessThan(1_000_000)
    await expect(read(bomb)).rejects.toThrow(
      new UnreadableFile('El archivo comprimido crece a más de 100 veces su tamaño.'),
    )
  })

  it('is unreadable if one line has no end', async () => {
    const line = await zip(repeated('a', 40))
    await expect(read(line)).rejects.toThrow(
      new UnreadableFile('El archivo tiene una línea demasiado larga para ser de una evidencia.'),
    )
  })

  it('is unreadable if something follows what was compressed', async () => {
    const one = await zip(repeated('a\n', 1))
    await expect(read(concat(one as never, one as never))).rejects.toThrow()
    await expect(read(concat(one as never, bytesOf('más')))).rejects.toThrow()
    await expect(read(one.slice(0, -9))).rejects.toThrow()
  })
})
