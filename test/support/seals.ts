import { env } from 'cloudflare:workers'
import { withoutCaller } from '../../src/db/core/batch-db.ts'
import { SEALS_A_RUN, sealEvents } from '../../src/domain/evidence/seal.ts'
import { readSigner } from '../../src/shared/evidence/checkpoint.ts'

/** Seals what is not sealed yet, by the tests' key or another, at a given moment. */
export const seal = async ({
  now = new Date(),
  seals = SEALS_A_RUN,
  key = env.SEAL_KEY,
  DB = env.DB,
} = {}) => sealEvents(withoutCaller(DB), await readSigner(key), { seals, clock: () => now })
