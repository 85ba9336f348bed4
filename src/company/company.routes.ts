import { DomainError } from '../core/errors.ts'
import { createApp } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { limitPeople } from '../core/http/rate-limit.ts'
import { validate } from '../core/http/validate.ts'
import { mayInAllBranches } from '../session/callers.http.ts'
import { readCompany, saveCompany } from './company.queries.ts'
import { CompanyBody } from './company.schemas.ts'

export const company = createApp().put(
  '/',
  mayInAllBranches('pay'),
  limitPeople,
  validate(CompanyBody),
  async (c) => {
    const db = c.var.authorizedDb
    const write = { ...c.req.valid('json'), at: c.var.now.toISOString() }
    const saved = await saveCompany(db, write).catch(async (error) => {
      if (error instanceof DomainError && error.code === 'COMPANY_MOVED') {
        const current = await readCompany(db)
        if (current) error.current = current
      }
      throw error
    })
    return c.json(success('La empresa se guardó.', saved), 200)
  },
)
