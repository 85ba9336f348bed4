import { useEffect, useState } from 'hono/jsx/dom'
import { dataOf } from '../../sdk/api-client.ts'
import { api } from '../api/api.ts'
import { queue } from './queue.ts'

/** The names that were read, by employee id. */
const names = new Map<string, string>()

/** The name of a person, the id until it is read. */
export const usePersonName = (id: string): string => {
  const [name, setName] = useState(names.get(id) ?? id)
  useEffect(() => {
    const set = (found: string | undefined) => {
      if (found) names.set(id, found)
      setName(found ?? id)
    }
    const row = queue.get().rows.find(({ employee }) => employee.employee_id === id)
    const stored = row?.employee.full_name ?? names.get(id)
    if (stored) return set(stored)
    dataOf(api.v2.incidents.employees.$get({ query: { q: id } }))
      .then(({ employees }) => set(employees.find((e) => e.employee_id === id)?.full_name))
      .catch(() => {})
  }, [id])
  return name
}
