import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { Clock } from '../../sdk/api-types.ts'
import { newId } from '../session/new-id.ts'
import { Dialog } from '../ui/dialog.tsx'
import { CommentButton, DialogButton } from '../ui/dialog-button.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkToPersonPage } from '../ui/routes.ts'
import { countedLogs } from '../ui/text.ts'
import { dayAndMonth, duration, shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { problemsOf, useForm } from '../ui/use-form.tsx'
import {
  correctClock,
  correctionsQuery,
  type Preview,
  previewCorrection,
  undoCorrection,
} from './corrections.queries.ts'
import { joinDays, type OffDays } from './off-days.ts'
import { hasWrongTime } from './source-state.ts'

interface Props {
  clock: Clock
  onClose: () => void
}

const LATER = ['más tarde', 'más temprano'] as const
const AHEAD = ['adelantado', 'atrasado'] as const

/** `1 h más tarde` */
const shiftText = (seconds: number, [more, less]: typeof LATER | typeof AHEAD = LATER): string =>
  `${duration(Math.abs(seconds))} ${seconds > 0 ? more : less}`

/** `El 3 nov casi todos (8 de 9) comenzaron` */
const offDaysText = ({ from, to, people, of }: OffDays): string =>
  from === to
    ? `El ${dayAndMonth(from)} casi todos (${people} de ${of}) comenzaron`
    : `Del ${dayAndMonth(from)} al ${dayAndMonth(to)} casi todos comenzaron`

const hours = (seconds: number | null): string => (seconds === null ? 'nada' : duration(seconds))

const Days = ({ preview }: { preview: Preview }) => (
  <>
    <p>
      {countedLogs(preview.logs)}. Si se aprueba todo, estos días quedarían así:
      {preview.left_out > 0 &&
        ` (${countedLogs(preview.left_out)} no: son tuyas, o de gente que ya es de otra sucursal)`}
    </p>
    {preview.days?.length === 0 && <p class="note">Ningún día cambia sus horas.</p>}
    <Paged
      items={preview.days ?? []}
      render={(shown) => (
        <ul class="problems">
          {shown.map((day) => (
            <li key={day.employee_id + day.day}>
              <a href={linkToPersonPage(day.employee_id)}>{day.full_name}</a>,{' '}
              {dayAndMonth(day.day)}: {hours(day.before_seconds)} → {hours(day.after_seconds)}{' '}
              <span class="note">
                {day.after_detail}
                {day.paid_seconds !== null && `. Ya se pagó: ${duration(day.paid_seconds)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    />
  </>
)

const UndoButton = ({ serial, id }: { serial: string; id: number }) => (
  <CommentButton
    class="quiet"
    label="Deshacer"
    title="Deshacer la corrección"
    act="Deshacer"
    isDangerous
    send={async (comment) => {
      await undoCorrection(serial, id, comment)
      announce('La corrección se deshizo.')
    }}
  >
    <p>Lo que agregó se rechaza, y lo que rechazó queda como estaba.</p>
  </CommentButton>
)

type Asked = Pick<Parameters<typeof correctClock>[1], 'from' | 'to' | 'shift_seconds'>

/** Mends the logs of a clock that was wrong: first shows what becomes of the days, then asks again. */
const CorrectionDialog = ({ clock, off, onClose }: Props & { off?: OffDays }) => {
  const { serial, label } = clock
  const offNow = hasWrongTime(clock) ? (clock.seconds_off ?? 0) : 0
  const secondsAhead = off ? off.minutes * 60 : offNow
  const begin = {
    from: off ? `${off.from}T00:00` : '',
    to: off ? `${off.to}T23:59` : '',
    was: secondsAhead > 0 ? 'fast' : 'slow',
    minutes: String(Math.round(Math.abs(secondsAhead || 3600) / 60)),
    comment: secondsAhead ? `El reloj iba ${shiftText(secondsAhead, AHEAD)}.` : '',
  }
  const askedOf = ({ from, to, was, minutes }: typeof begin): Asked => ({
    from,
    to,
    shift_seconds: Math.round((was === 'slow' ? Number(minutes) : -Number(minutes)) * 60),
  })
  const [client_id] = useState(newId())
  const [shown, setShown] = useState<{ asked: string; preview: Preview }>()
  const preview = async (asked: Asked, comment: string) => {
    const made = await previewCorrection(serial, { client_id, ...asked, comment })
    setShown({ asked: JSON.stringify(asked), preview: made })
  }
  useEffect(() => {
    // If it fails, the button asks again, and says why.
    if (off) preview(askedOf(begin), begin.comment).catch(() => {})
  }, [])
  const form = useForm({
    initial: begin,
    check: ({ from, to, minutes, comment }) => ({
      from: !from && 'Di desde cuándo.',
      to: !to && 'Di hasta cuándo.',
      minutes: !(Number(minutes) > 0) && 'Di cuántos minutos.',
      comment: !comment && 'Escribe el motivo: queda en el historial.',
    }),
    send: async (values) => {
      const asked = askedOf(values)
      const { comment } = values
      if (shown?.asked !== JSON.stringify(asked)) return preview(asked, comment)
      const { logs } = await correctClock(serial, { client_id, ...asked, comment })
      onClose()
      announce(`Se corrigieron ${countedLogs(logs)}: quedan por aprobar.`)
    },
    describe: (error) => {
      const { shift_seconds, ...others } = problemsOf(error)
      return shift_seconds ? { ...others, minutes: shift_seconds } : others
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Corregir la hora de ${label ?? serial}`}
      act={shown ? `Corregir ${countedLogs(shown.preview.logs)}` : 'Ver cómo quedaría'}
      onClose={onClose}
    >
      <p class="note">
        Si el reloj estuvo mal, cada checada suya de ese tiempo se rechaza y se agrega a la hora
        buena, por aprobar. Se puede deshacer.
      </p>
      <TextField {...form.field('from')} type="datetime-local" label="Desde, según el reloj" />
      <TextField {...form.field('to')} type="datetime-local" label="Hasta, según el reloj" />
      <Choice
        {...form.field('was')}
        label="El reloj iba"
        empty={null}
        options={[
          ['slow', 'atrasado'],
          ['fast', 'adelantado'],
        ]}
      />
      <TextField {...form.field('minutes')} type="number" label="Cuántos minutos" />
      <TextField {...form.field('comment')} label="Motivo" rows={2} />
      {shown && <Days preview={shown.preview} />}
    </FormDialog>
  )
}

/** The corrections of a clock that was wrong, each of which can be undone, and a new one. */
export const ClockCorrections = ({ clock, onClose }: Props) => {
  const { serial, label } = clock
  const read = useQuery(correctionsQuery(serial))
  // Without anything to choose from, the form comes at once.
  if (read.data?.corrections.length === 0 && read.data.days_off.length === 0) {
    return <CorrectionDialog clock={clock} onClose={onClose} />
  }
  return (
    <Dialog title={`Correcciones de ${label ?? serial}`} onClose={onClose}>
      <Loaded read={read} failure="No se pudieron leer" rows={2}>
        {({ days_off, corrections }) => (
          <>
            {joinDays(days_off).map((off) => (
              <p key={off.from}>
                {offDaysText(off)} {shiftText(off.minutes * 60)}: ¿el reloj estaba mal?{' '}
                <DialogButton
                  class="quiet"
                  label={off.from === off.to ? 'Corregir ese día' : 'Corregir esos días'}
                  about={dayAndMonth(off.from)}
                  dialog={(close) => <CorrectionDialog clock={clock} off={off} onClose={close} />}
                />
              </p>
            ))}
            <ul class="problems">
              {corrections.map((correction) => (
                <li key={correction.id}>
                  {countedLogs(correction.logs)} del {shortMoment(correction.first_local_at)} al{' '}
                  {shortMoment(correction.last_local_at)}, {shiftText(correction.shift_seconds)}.{' '}
                  <span class="note">
                    {correction.comment} {correction.user.full_name}.
                  </span>{' '}
                  {correction.undone ? (
                    <span class="status absent">Deshecha</span>
                  ) : (
                    <UndoButton serial={serial} id={correction.id} />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <footer>
        <button type="button" onClick={onClose}>
          Cerrar
        </button>
        <DialogButton
          class="primary"
          label="Corregir checadas"
          dialog={(close) => <CorrectionDialog clock={clock} onClose={close} />}
        />
      </footer>
    </Dialog>
  )
}
