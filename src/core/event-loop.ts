/**
 * Lets other requests run. A local D1 answers without the network, so long work would never yield: it
 * waits here once a page.
 */
export const waitForOtherRequests = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0))
