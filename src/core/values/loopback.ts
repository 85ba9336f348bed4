/** Whether a host name of a URL is of the same computer. */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
