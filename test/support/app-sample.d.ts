/** The sample of docs/app.md (vitest.config.ts). */
declare module 'virtual:app-sample' {
  export const checkIn: (kind: 'entrada' | 'salida', user_id: number) => Promise<void>
  export const readServiceTime: (token: string) => Promise<void>
  export const sendAll: () => Promise<void>
}
