import { ConsoleError, isLost } from './client.ts'
import { whenOnline } from './connection.ts'

const ATTEMPTS = 4
const RETRY_MS = 500
const STOPPED_OFFLINE =
  'Se detuvo sin conexión, y no se sabe si lo último se guardó. Inténtalo cuando vuelva: lo guardado no se repite.'

/**
 * Sends a request. If its response is lost, sends the same request again once there is a
 * connection. Each act is done once, because its request has what its caller saw. So the service
 * may refuse an act that a lost request has done: `send` returns it as done if `isRepeated`.
 * @throws ConsoleError if `stop` ends the wait for a connection
 */
export const untilAnswered = async <T>(
  send: (isRepeated: boolean) => Promise<T>,
  stop?: AbortSignal,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(attempt > 1)
    } catch (error) {
      if (!isLost(error) || attempt === ATTEMPTS) throw error
      await whenOnline(stop)
      if (!navigator.onLine) throw new ConsoleError(STOPPED_OFFLINE)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt))
    }
  }
}
