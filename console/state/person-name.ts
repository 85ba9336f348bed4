import { findEmployee } from '../api/employees.ts'
import { queue } from './queue.ts'
import { useRead } from './use-read.ts'

const names = new Map<string, string>()

/** Returns a person's name, or the id while the name is unknown. An empty id is not looked up. */
export const usePersonName = (id: string): string => {
  const row = queue.get().rows.find(({ employee }) => employee.employee_id === id)
  if (row) names.set(id, row.employee.full_name)
  useRead(async () => {
    const found = names.has(id) || id === '' ? undefined : await findEmployee(id)
    if (found) names.set(id, found.full_name)
  }, [id])
  return names.get(id) ?? id
}
