import { createStore } from '../session/store.ts'

/** The people whose logs have changed since their hours were read, and the number of changes. */
export const changedPeople = createStore({ ids: new Set<string>(), changes: 0 })

/** Records that these people's logs have changed. Views then read these people's hours again. */
export const markPeopleChanged = (employee_ids: Iterable<string>): void => {
  const { ids, changes } = changedPeople.get()
  changedPeople.set({ ids: new Set([...ids, ...employee_ids]), changes: changes + 1 })
}

/** Returns the people, and forgets them. */
export const takeChangedPeople = (): string[] => {
  const { ids } = changedPeople.get()
  changedPeople.set({ ids: new Set() })
  return [...ids]
}
