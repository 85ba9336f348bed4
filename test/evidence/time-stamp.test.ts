import { afterEach, expect, it, vi } from 'vitest'
import { readElements } from '../../src/evidence/seal/der.ts'
import { requestTimeStamp } from '../../src/evidence/seal/time-stamp.http.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const KIB = 1024

/**
 * Mocks an authority whose response has `chunks` chunks of 1 KiB. The returned state has the number
 * of chunks that were read, and whether the reader cancelled the response.
 */
const mockAuthority = (chunks: number) => {
  const state = { read: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (state.read === chunks) return controller.close()
        state.read++
        controller.enqueue(new Uint8Array(KIB))
      },
      cancel: () => {
        state.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body))
  return state
}

it.each([
  ['to 64 KiB and no further', 100_000, { read: 65, cancelled: true }],
  ['whole if it has 64 KiB', 64, { read: 64, cancelled: false }],
])('the response of a time stamping authority is read %s', async (_, chunks, expected) => {
  const state = mockAuthority(chunks)
  await expect(requestTimeStamp('https://tsa.example.com', 'texto')).rejects.toThrow(
    'TSA_URL granted no token.',
  )
  expect(state).toEqual(expected)
})

it.each([
  ['an indefinite length', [0x30, 0x80, 0x05, 0x00, 0x00, 0x00]],
  ['a length of five bytes', [0x04, 0x85, 0, 0, 0, 0, 1, 7]],
  ['a length beyond the end', [0x04, 0x02, 7]],
])('refuses DER with %s', (_, bytes) => {
  expect(() => readElements(Uint8Array.from(bytes))).toThrow('Broken DER.')
})
