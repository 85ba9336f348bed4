import { dataOf } from '../../sdk/api-client.ts'
import { hasStatus } from './client.ts'
import { askAgain } from './session.ts'

type Answer = Awaited<Parameters<typeof dataOf>[0]>

/**
 * Where the session has ended, the person signs in again over what is on screen, and the request
 * is repeated: nothing typed is lost.
 */
const whileSignedIn = async <T>(request: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      if (!hasStatus(error, 401)) throw error
      await askAgain()
    }
  }
}

/**
 * The data of a response.
 * @throws ApiError for any failure of the service but a session that has ended
 */
export const call = <R extends Answer>(request: () => Promise<R>) =>
  whileSignedIn(() => dataOf(request()))

/**
 * The response that is a file.
 * @throws ApiError as `call` does
 */
export const callFile = (request: () => Promise<Answer>) =>
  whileSignedIn(async () => {
    const response = await request()
    if (!response.ok) await dataOf(response)
    return response
  })
