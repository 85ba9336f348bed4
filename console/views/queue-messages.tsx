import { linkTo } from '../routes.ts'
import type { Filter } from '../state/filter.ts'
import { Icon } from '../ui/icon.tsx'

const isNarrowed = ({ status: _, from: __, ...rest }: Filter): boolean =>
  Object.values(rest).some((value) => value !== undefined)

/** What an empty list means, and what to do. */
export const Empty = ({ filter }: { filter: Filter }) => {
  const waits = filter.status === 'pending'
  if (isNarrowed(filter)) {
    return (
      <div class="empty">
        <h2>Nada coincide con estos filtros</h2>
        <p>Puede haber checadas en otras sucursales, fechas o personas.</p>
        <a class="button" href={linkTo('checadas', { status: filter.status ?? 'all' })}>
          Quitar los filtros
        </a>
      </div>
    )
  }
  return (
    <div class="empty">
      <Icon name="check" />
      <h2>{waits ? 'No queda nada por revisar' : 'No hay checadas en este periodo'}</h2>
      <p>
        {waits
          ? 'Lo que llegue de los relojes y las apps aparecerá aquí. ¿Falta una checada? Agrégala con su motivo.'
          : 'Cambia las fechas o mira lo que está por revisar.'}
      </p>
      <a class="button" href={waits ? linkTo('agregar') : linkTo('checadas')}>
        {waits ? 'Agregar una checada' : 'Ver lo que está por revisar'}
      </a>
    </div>
  )
}
