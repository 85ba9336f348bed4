import { findEmployee } from '../session/employees.ts'
import { useRead } from './use-read.ts'

const names = new Map<string, string>()

/** Keeps the names of people who are on the screen, so that they need not be looked up. */
export const rememberNames = (people: { employee_id: string; full_name: string }[]): void => {
  for (const { employee_id, full_name } of people) names.set(employee_id, full_name)
}

/** Returns a person's name, or the id while the name is unknown. An empty id is not looked up. */
export const usePersonName = (id: string): string => {
  useRead(async () => {
    const found = names.has(id) || id === '' ? undefined : await findEmployee(id)
    if (found) names.set(id, found.full_name)
  }, [id])
  return names.get(id) ?? id
}
