import { env } from 'cloudflare:workers'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { readSigner } from '../../src/evidence/checkpoint.ts'
import { SEALS_PER_RUN, sealEvents } from '../../src/evidence/seal.ts'

/** Seals what is not sealed yet, by the tests' key or another, at a given moment. */
export const seal = async ({
  now = new Date(),
  seals = SEALS_PER_RUN,
  key = env.SEAL_KEY,
  DB = env.DB,
} = {}) => sealEvents(withoutCaller(DB), await readSigner(key), { seals, clock: () => now })
