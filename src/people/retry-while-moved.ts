import { DomainError } from '../core/errors.ts'

const ATTEMPTS_MAX = 3

/** Reads and writes again after EMPLOYEE_MOVED, three times at most. */
export const retryWhileMoved = async <Read, Written>(
  read: () => Promise<Read>,
  write: (read: Read) => Promise<Written>,
): Promise<Written> => {
  for (let attempt = 1; ; attempt++) {
    const found = await read()
    try {
      return await write(found)
    } catch (error) {
      const hasMoved = error instanceof DomainError && error.code === 'EMPLOYEE_MOVED'
      if (!hasMoved || attempt === ATTEMPTS_MAX) throw error
    }
  }
}
