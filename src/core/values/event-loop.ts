/**
 * Lets other requests run. Long tasks call it once per page. A local D1 answers without the
 * network, so without this pause a long task would block the process.
 */
export const waitForOtherRequests = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0))
