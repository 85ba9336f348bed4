import * as z from 'zod/mini'

const format = z.enum(['csv', 'ndjson'], { error: 'El formato debe ser csv o ndjson.' })

const headers = z.optional(z.enum(['es'], { error: 'Los encabezados deben ser es.' }))

const ids = z.optional(
  z.enum(['plain', 'spreadsheet'], { error: 'ids debe ser plain o spreadsheet.' }),
)

/** The fields of a file in a query. */
export const fileFields = { format, headers, ids }

type FileQuery = { format: string } & { [name in 'headers' | 'ids']?: string | undefined }

export const onlyWithCsv = (['headers', 'ids'] as const).map((name) =>
  z.refine<FileQuery>((query) => query[name] === undefined || query.format === 'csv', {
    path: [name],
    error: `${name} solo se combina con csv.`,
  }),
)

export const by = z.optional(
  z.enum(['employee', 'week'], { error: 'El agrupamiento debe ser employee o week.' }),
)
