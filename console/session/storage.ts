type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** Keeps texts until the page is closed. */
const inMemory = (): PageStorage => {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    clear: () => items.clear(),
  }
}

/** A browser that blocks a site's data throws when its storage is read, or has none. */
const orInMemory = (read: () => Storage | null): PageStorage => {
  try {
    return read() ?? inMemory()
  } catch {
    return inMemory()
  }
}

/** What is kept until the tab is closed. */
export const tabStorage = orInMemory(() => sessionStorage)
/** What is kept in this browser. */
export const browserStorage = orInMemory(() => localStorage)
