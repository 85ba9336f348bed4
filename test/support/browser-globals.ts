import { vi } from 'vitest'

const aStorage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> => {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  }
}

/**
 * What the state of the console needs of a browser, so that it can be tested in Node. Call this
 * before the console's modules are imported.
 * @param origin the service's origin, to which the console sends its requests
 */
export const stubBrowser = (origin: string) => {
  const page = { reloads: 0, left: 0 }
  const location = {
    ...{ origin, hash: '' },
    reload: () => void page.reloads++,
    assign: () => void page.left++,
  }
  const globals = {
    ...{ location, sessionStorage: aStorage(), localStorage: aStorage() },
    ...{ navigator: { onLine: true }, addEventListener: () => {} },
    document: { addEventListener: () => {}, querySelectorAll: () => [], activeElement: null },
  }
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  return page
}

/** Imports a module of the console, without its types. @param name such as `session/api` */
export const importConsole = (name: string) => {
  const [folder, file] = name.split('/')
  return import(`../../console/${folder}/${file}.ts`)
}
