import { hasUnsavedCheckIns } from './check-ins.ts'

const WORKER = 'service-worker.js'

declare const trustedTypes:
  | {
      createPolicy: (
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ) => { createScriptURL: (url: string) => string }
    }
  | undefined

/** The service worker's address, made by the only Trusted Types policy that the page may have. */
const workerAddress = (): string => {
  const createScriptURL = () => WORKER
  if (typeof trustedTypes === 'undefined') return WORKER
  return trustedTypes.createPolicy('checada-worker', { createScriptURL }).createScriptURL(WORKER)
}

/**
 * Keeps the page on the phone, so that it opens without a network. After a new version is
 * installed, the page is reloaded while it is hidden and has no form, dialog or unsaved check-in.
 */
export const installPage = async (): Promise<void> => {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  let isOld = false
  const update = () => {
    const isInUse = hasUnsavedCheckIns() || document.querySelector('dialog[open], form') !== null
    if (isOld && document.hidden && !isInUse) location.reload()
  }
  const hadWorker = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    isOld = hadWorker
    update()
  })
  const registration = await serviceWorker.register(workerAddress())
  document.addEventListener('visibilitychange', () => {
    update()
    if (!document.hidden) void registration.update().catch(() => {})
  })
}
