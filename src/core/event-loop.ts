/**
 * Lets the event loop read other requests. It does so only while it waits, which a local D1, that
 * answers without the network, never makes it do: long work waits once a page.
 */
export const waitForOtherRequests = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 0))
