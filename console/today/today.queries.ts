import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import { readTexts } from '../agreements/agreements.queries.ts'
import { readSources } from '../clocks/sources.queries.ts'
import { branchZones, zonesText } from '../company/branch-zones.ts'
import { readCompany } from '../company/company.queries.ts'
import { readGroups } from '../hours/hours.queries.ts'
import { readDays } from '../review/logs.queries.ts'
import { api } from '../session/api.ts'
import { can, signedIn } from '../session/session.ts'
import { about } from '../ui/queries.ts'
import { addDays, today, zoneName } from '../ui/time.ts'

const { logs } = api.v2.incidents

/** The number of logs that wait for a decision. */
export const pendingCount = queryOptions({
  queryKey: [...about.logs, 'pending'],
  queryFn: async () => {
    const { total } = await dataOf(logs.summary.$get({ query: { status: 'pending' } }))
    return total.pending
  },
})

/** The days of people who are at work now. A shift of 36 hours may have begun two days ago. */
export const working = queryOptions({
  queryKey: [...about.hours, 'working'],
  queryFn: () => readDays({ from: addDays(today(), -2), to: today(), working: true }),
})

export interface FirstStep {
  name: string
  text: string
  path: string
  isDone: boolean
}

/** What a new installation needs, in order, each with the page where it is done. */
const readFirstSteps = async (hasPeople: boolean): Promise<FirstStep[]> => {
  const [{ name, zones }, groups, sources, texts] = await Promise.all([
    readCompany(),
    readGroups(),
    readSources(),
    can('read_agreements') ? readTexts() : undefined,
  ])
  const branches = branchZones(signedIn().branches, zones)
  const areConfirmed = branches.every(({ isConfirmed }) => isConfirmed)
  return [
    {
      name: 'La empresa',
      text: 'Su nombre, que llevan las tarjetas, y su zona horaria.',
      path: 'empresa',
      isDone: name !== '',
    },
    {
      name: 'Los grupos de nómina',
      text: 'Cada cuánto se paga a cada uno, y desde qué día lo paga este servicio.',
      path: 'empresa',
      isDone:
        groups.some(({ pays_from }) => pays_from !== null) &&
        groups.every(({ people, pays_from }) => people === 0 || pays_from !== null),
    },
    {
      name: 'Las personas',
      text: 'Con su sucursal: una por una, o pegadas desde una hoja.',
      path: 'personas/archivo',
      isDone: hasPeople,
    },
    {
      name: 'Las sucursales',
      text:
        branches.length === 0
          ? 'Se dan de alta con su gente. Después se confirma aquí la zona horaria de cada una.'
          : `${zonesText(branches, zoneName)}.${areConfirmed ? '' : ' Confirma aquí sus zonas horarias, o cambia la que no sea.'}`,
      path: 'empresa',
      isDone: branches.length > 0 && areConfirmed,
    },
    {
      name: 'Los relojes o la app',
      text: 'De dónde llegan las checadas. La página dice qué escribir en un reloj.',
      path: 'relojes',
      isDone: sources.length > 0 || signedIn().employee_clock_in,
    },
    ...(texts
      ? [
          {
            name: 'El acuerdo',
            text: 'El texto sobre el registro de la jornada que cada persona acuerda.',
            path: 'acuerdo',
            isDone: texts.length > 0,
          },
        ]
      : []),
  ]
}

export const firstSteps = (hasPeople: boolean) =>
  queryOptions({
    queryKey: [...about.company, 'first steps', hasPeople],
    queryFn: () => readFirstSteps(hasPeople),
  })
