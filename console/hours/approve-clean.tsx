import type { HoursDay } from '../../sdk/api-types.ts'
import { connection } from '../session/connection.ts'
import { can } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { ActButton } from '../ui/buttons.tsx'
import { counted } from '../ui/text.ts'
import { askToApproveCleanDays, isClean } from './clean-days.ts'
import type { HoursFilter } from './hours-filter.ts'

interface Props {
  days: HoursDay[]
  filter: HoursFilter
}

/** A button to approve the days that need no review, or a note for users who may not decide. */
export const ApproveClean = ({ days, filter }: Props) => {
  const { online } = useStore(connection)
  // A reviewed day is not approved with the others.
  const count = days.filter((row) => row.reviewed === null && isClean(row)).length
  if (count === 0) return <span />
  if (!can('decide')) {
    return (
      <p class="note">
        Sin decidir: {counted(count, 'día')} sin excepción, a cargo de quien aprueba las checadas.
      </p>
    )
  }
  return (
    <span>
      <ActButton
        label={`Aprobar ${count === 1 ? 'el día' : `los ${counted(count, 'día')}`} sin excepción`}
        busyLabel="Preparando…"
        icon="check"
        class="primary"
        disabled={!online}
        act={() => askToApproveCleanDays(filter)}
      />
      {!online && <p class="note">Sin conexión: no se puede aprobar ahora.</p>}
    </span>
  )
}
