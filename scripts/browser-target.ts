/** The oldest supported versions, as docs/app.md and both pages say. */
export const OLDEST = { safari_ios: 15.4, chrome: 100, firefox: 140 } as const

/** For esbuild. */
export const TARGET = ['es2022', 'ios15.4', 'safari15.4', 'chrome100', 'firefox140']
