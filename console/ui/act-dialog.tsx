import type { Child } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './fields.tsx'
import { FormEnd, type Given, useForm } from './form.tsx'

interface Props {
  title: string
  act: string
  isDangerous?: boolean
  /** The text below the comment field. With a hint, the comment is optional. */
  hint?: string
  /** A message if the user still has to choose something, or false if not. */
  missing?: string | false
  children: Child
  onClose: () => void
  onDone: () => void
  send: (given: Given) => Promise<void>
}

/** Explains the effect of an act and asks for a comment. The dialog stays open after an error. */
export const ActDialog = (props: Props) => {
  const { title, act, isDangerous, hint, missing, children, onClose, onDone, send } = props
  const form = useForm({
    check: (given) => {
      if (missing) return { all: missing }
      if (hint || given('comment')) return {}
      return { all: 'Escribe el motivo: queda en el historial.' }
    },
    send: async (given) => {
      await send(given)
      onClose()
      onDone()
    },
    describe: (error) => ({ all: messageOf(error) }),
  })
  const { id, busy, problems } = form
  return (
    <Dialog title={title} onClose={busy ? undefined : onClose}>
      <form {...form.props}>
        {children}
        <Field id={id} label={hint ? 'Nota (opcional)' : 'Motivo'}>
          <textarea
            id={id}
            name="comment"
            rows={2}
            aria-invalid={problems.all && !hint ? 'true' : undefined}
          />
          {hint && <p class="note">{hint}</p>}
        </Field>
        <FormEnd
          form={form}
          problem={problems.all}
          act={act}
          busyAct="Guardando…"
          class={isDangerous ? 'danger' : 'primary'}
        >
          <button type="button" onClick={onClose} disabled={busy}>
            Volver
          </button>
        </FormEnd>
      </form>
    </Dialog>
  )
}
