import { dataOf } from '../../sdk/api-client.ts'
import { hasStatus } from './client.ts'
import { askAgain } from './session.ts'

type Response = Parameters<typeof dataOf>[0]

/**
 * The data of a response. Where the session has ended, the person signs in again over what is on
 * screen, and the request is repeated: nothing typed is lost.
 * @throws ApiError for any other failure of the service
 */
export const call = async <R extends Awaited<Response>>(request: () => Promise<R>) => {
  for (;;) {
    try {
      return await dataOf(request())
    } catch (error) {
      if (!hasStatus(error, 401)) throw error
      await askAgain()
    }
  }
}
