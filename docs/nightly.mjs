// API=https://…/api TOKEN=… node nightly.mjs < people.json
import { json } from 'node:stream/consumers'

const call = async (path, init) => {
  const headers = { Authorization: `Bearer ${process.env.TOKEN}` }
  const url = `${process.env.API}/v2/people/employees${path}`
  const response = await fetch(url, { ...init, headers })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()).data
}
const versions = new Map()
for (let cursor = ''; cursor !== null; ) {
  const page = await call(`?limit=500${cursor && `&cursor=${cursor}`}`)
  for (const { employee_id, version } of page.employees) versions.set(employee_id, version)
  cursor = page.next_cursor
}
const people = await json(process.stdin)
for (const one of people) one.expected_version = versions.get(one.employee_id) ?? 0
for (let at = 0; at < people.length; at += 500) {
  const body = JSON.stringify({ employees: people.slice(at, at + 500) })
  const { results } = await call('/bulk', { method: 'POST', body })
  for (const { employee_id, result } of results) console.log(employee_id, result)
}
