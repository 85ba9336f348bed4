/** The local D1 reports a damaged page only as an internal error. */
const SUSPICIOUS_ERROR = /internal error|disk image is malformed|SQLITE_CORRUPT/i

/** Whether a query of this isolate has failed with an error that a damaged page can cause. */
export const damage = { isSuspected: false }

export const suspectDamage = (error: unknown): void => {
  damage.isSuspected ||= SUSPICIOUS_ERROR.test(String(error))
}
