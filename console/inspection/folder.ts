import type { ExportedLog } from '../../sdk/api-types.ts'
import { cardsOf, readCompany, readPeriod } from '../closings/cards.queries.ts'
import { api } from '../session/api.ts'
import { ConsoleError, hasStatus } from '../session/client.ts'
import { okResponse, rowsOf } from '../session/files.ts'
import { can, signedIn } from '../session/session.ts'
import { sha256 } from '../ui/sha256.ts'
import { withoutAccents } from '../ui/text.ts'
import { addDays, earlierOf, nightEndOf } from '../ui/time.ts'
import { cardsPage, monthsOf } from './cards-page.tsx'
import { readMeText } from './read-me.ts'
import { registerOf } from './register.ts'
import { daysMax, queryOf, type Selection } from './selection.ts'

type Files = Record<string, Uint8Array<ArrayBuffer>>

const bytesOf = (text: string) => new TextEncoder().encode(text)

const bodyOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

const readVerifier = async () => {
  const response = await fetch('/verificar.html')
  if (!response.ok) throw new ConsoleError('No se pudo leer verificar.html.')
  return new Uint8Array(await response.arrayBuffer())
}

/** The cursor of the file after this one. Undefined if this is the last one. */
const nextCursor = ({ headers }: Response): string | undefined => {
  const [, query] = /<\?(.*)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  return new URLSearchParams(query).get('cursor') ?? undefined
}

/** The limit of further files of a branch is for a minute. */
const PAUSE_MS = 60_000

type EvidenceQuery = NonNullable<
  NonNullable<Parameters<typeof api.v2.audit.evidence.$get>[0]>['query']
>

/** Reads one file. If the limit of further files is reached, waits and tries again. */
const requestFile = async (query: EvidenceQuery): Promise<Response> => {
  for (;;) {
    try {
      return await okResponse(api.v2.audit.evidence.$get({ query }))
    } catch (error) {
      if (!query.cursor || !hasStatus(error, 429)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/**
 * Reads the evidence of a person, or of a branch. Each file of a branch has fifty people. If the
 * limit of days allows it, the evidence includes the end of a shift that begins on the last day.
 */
const readEvidence = async (selection: Selection): Promise<Files> => {
  const { employee_id, branch_office, from, to } = selection
  const end = earlierOf(nightEndOf(to), addDays(from, daysMax(selection) - 1))
  const query = { ...(employee_id ? { employee_id } : { branch_office }), from, to: end }
  const files: Files[string][] = []
  let cursor: string | undefined
  do {
    const response = await requestFile({ ...query, cursor })
    files.push(await bodyOf(response))
    cursor = nextCursor(response)
  } while (cursor)
  const nameOf = (index: number) =>
    files.length > 1 ? `evidencia-${index + 1}.ndjson` : 'evidencia.ndjson'
  return Object.fromEntries(files.map((bytes, index) => [nameOf(index), bytes]))
}

const readCheckpoint = async (): Promise<Files> => ({
  'checkpoint.txt': await bodyOf(await okResponse(api.v2.audit.checkpoint.$get())),
})

/**
 * Reads the files with seals. It is called last, so that the seals cover every log of the other
 * files. Returns no file if the service has no seals, or if the folder is about one person and the
 * user may not request evidence. A user of one branch may not have the evidence of it if somebody of
 * the branch was in another one, and a branch without logs has none.
 */
const readProofs = async (selection: Selection): Promise<Files> => {
  const { seals } = signedIn()
  const { employee_id, branch_office } = selection
  if (!seals || (employee_id && !can('decide'))) return {}
  const hasEvidence = can('decide') && (employee_id !== '' || branch_office !== undefined)
  const proofs = hasEvidence ? readEvidence(selection) : readCheckpoint()
  const files = await proofs.catch((error: unknown) => {
    const isWithout = hasStatus(error, 403) || hasStatus(error, 404)
    if (isWithout && !employee_id) return readCheckpoint()
    if (!hasStatus(error, 429)) throw error
    throw new ConsoleError(
      'La evidencia se pide una vez por minuto. Espera un minuto y prepara la carpeta otra vez.',
    )
  })
  return { ...files, 'verificar.html': await readVerifier() }
}

const branchPart = (branch: string | undefined): string =>
  branch === undefined ? 'todas' : withoutAccents(branch) || 'sin-sucursal'

const fileName = ({ employee_id, branch_office, from, to }: Selection): string => {
  const whose = (employee_id || branchPart(branch_office)).replace(/[^\w-]+/g, '-')
  return `inspeccion_${whose}_${from}_${to}.zip`
}

/** Makes the ZIP that an inspector gets. */
export const makeFolder = async (selection: Selection): Promise<{ name: string; blob: Blob }> => {
  const { employee_id, branch_office, from, to } = selection
  const query = queryOf(selection)
  const [period, company, logs, { zipSync }] = await Promise.all([
    readPeriod(query),
    readCompany(),
    rowsOf<ExportedLog>(
      api.v2.incidents.export.$get({
        query: { ...query, to: nightEndOf(to), format: 'ndjson' },
      }),
    ),
    import('fflate'),
  ])
  if (period.people.size === 0) throw new ConsoleError('Nadie tiene checadas en esos días.')
  const parts = employee_id ? monthsOf({ from, to }) : [{ from, to }]
  const cards = parts.flatMap((part) => cardsOf(period, part))
  const files: Files = {
    'registro.csv': bytesOf(registerOf({ from, to }, period, logs)),
    'tarjetas.html': bytesOf(await cardsPage(cards, company, { from, to })),
    ...(await readProofs(selection)),
  }
  const hashes = new Map<string, string>()
  for (const [name, bytes] of Object.entries(files)) hashes.set(name, await sha256(bytes))
  const person = period.people.get(employee_id)
  const ofBranch = branch_office ? `Sucursal ${branch_office}` : 'Personas sin sucursal'
  const many = branch_office === undefined ? 'Todas las personas' : ofBranch
  const who = person ? `${person.full_name} (${employee_id})` : many
  const text = readMeText(selection, company ? `${company}: ${who}` : who, hashes)
  const zip = zipSync({ 'LEEME.txt': bytesOf(text), ...files })
  return { name: fileName(selection), blob: new Blob([zip], { type: 'application/zip' }) }
}
