import { env } from 'cloudflare:workers'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { readSigner } from '../../src/evidence/seal/checkpoint.ts'
import { SEALS_PER_RUN, sealEvents } from '../../src/evidence/seal/seal.ts'

/** Seals the unsealed events, with the tests' key and the current time unless others are given. */
export const seal = async ({
  now = new Date(),
  seals = SEALS_PER_RUN,
  key = env.SEAL_KEY,
  DB = env.DB,
} = {}) => sealEvents(withoutCaller(DB), await readSigner(key), { seals, clock: () => now })
