import { beforeEach } from 'vitest'
import { get, post } from './api.ts'
import { anAdmin } from './factories.ts'

/** Signs in an administrator, Ana Torres. Returns shortcuts for her requests about logs. */
export const signInAdmin = async (row: Parameters<typeof anAdmin>[0] = {}) => {
  const user = await anAdmin({ mother_last_name: '', ...row })
  const options = (env: Partial<Env> = {}) => ({ token: user.token, env })
  const list = (query = '', settings?: Partial<Env>) =>
    get(`/v2/incidents/logs?${query}`, options(settings))
  return {
    ...user,
    get: (path: string, settings?: Partial<Env>) => get(`/v2/incidents${path}`, options(settings)),
    list,
    listAll: async (query: string, betweenPages?: () => Promise<void>): Promise<number[]> => {
      const ids: number[] = []
      let cursor = ''
      for (;;) {
        const page = await list(`${query}${cursor}`)
        ids.push(...idsOf(page))
        if (!page.body.data.next_cursor) return ids
        cursor = `&cursor=${page.body.data.next_cursor}`
        await betweenPages?.()
      }
    },
    change: (body: unknown, settings?: Partial<Env>) =>
      post('/v2/incidents/change_log_status', body, options(settings)),
    changeMany: (body: unknown, settings?: Partial<Env>) =>
      post('/v2/incidents/change_logs_status', body, options(settings)),
  }
}

export type Admin = Awaited<ReturnType<typeof signInAdmin>>

export const useAdmin = (): Admin => {
  const admin = {} as Admin
  beforeEach(async () => {
    Object.assign(admin, await signInAdmin())
  })
  return admin
}

export const idsOf = (res: { body: { data: { logs: { log_id: number }[] } } }) =>
  res.body.data.logs.map((log) => log.log_id)

/** A moment of November 2026: `at('02T14:00')`. */
export const at = (time: string) => `2026-11-${time}:00.000Z`
