/** What each of the three browsers can do. `Screen` builds everything else on it. */
export interface Tab {
  open(url: string): Promise<void>
  /** The value of an expression in the page. It may be a promise. */
  evaluate<T>(expression: string): Promise<T>
  click(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  screenshot(): Promise<Uint8Array>
  /** A PDF file of the page on paper. WebKitGTK's driver prints nothing. */
  print?(): Promise<Uint8Array>
  close(): Promise<void>
}

export type Key = 'Enter' | 'Escape' | 'Tab' | 'Space' | 'ArrowDown' | 'ArrowUp'

export interface Size {
  width: number
  height: number
}

/** A running browser. Each tab has cookies and storage of its own, as on another phone. */
export interface RunningBrowser {
  newTab(size: Size): Promise<Tab>
  close(): Promise<void>
}

/** The environment of a browser: its zone is the zone of the phone. */
export const browserEnvironment = (zone: string): NodeJS.ProcessEnv => ({
  ...process.env,
  TZ: zone,
})

/** How to install a missing browser. A missing browser is a failure: no test is left out. */
export const missing = (name: string, packages: string): Error =>
  new Error(`${name} is missing. Install Debian's packages: apt-get install ${packages}`)
