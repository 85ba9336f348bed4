import { useState } from 'hono/jsx/dom'
import type { IntakeProblem, LogSource } from '../../sdk/api-types.ts'
import { dismissProblem, saveSource } from '../api/sources.ts'
import { announce } from '../state/ui.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

interface LabelProps {
  source: LogSource
  onClose: () => void
  onChanged: () => void
}

const LabelDialog = ({ source: { source, label }, onClose, onChanged }: LabelProps) => {
  const form = useForm({
    check: () => ({}),
    send: async (given) => {
      await saveSource(source, { label: given('label') || null, retired: false })
      onClose()
      announce(given('label') ? `Ahora se llama ${given('label')}.` : 'Se quitó el nombre.')
      onChanged()
    },
  })
  return (
    <FormDialog form={form} title={`Nombre de ${source}`} act="Guardar" onClose={onClose}>
      <FormField form={form} name="label" label="Cómo le dicen las personas" value={label ?? ''} />
    </FormDialog>
  )
}

interface Props {
  source: LogSource
  isRetired: boolean
  /** Where its key is made. */
  keyLink: string | undefined
  onChanged: () => void
}

/** The buttons that name a clock, retire it, or take it back. */
export const SourceActs = ({ source, isRetired, keyLink, onChanged }: Props) => {
  const [act, setAct] = useState<'label' | 'retire'>()
  const close = () => setAct(undefined)
  const name = source.label ?? source.source
  return (
    <div class="acts start">
      {!isRetired && (
        <button type="button" class="quiet" onClick={() => setAct('label')}>
          Cambiar el nombre<span class="sr"> de {name}</span>
        </button>
      )}
      <button
        type="button"
        class={isRetired ? 'quiet' : 'quiet lost'}
        onClick={() => setAct('retire')}
      >
        {isRetired ? 'Volver a usar' : 'Retirar'}
        <span class="sr"> {name}</span>
      </button>
      {keyLink && (
        <a class="button quiet" key="key" href={keyLink}>
          Clave para el reloj<span class="sr"> {name}</span>
        </a>
      )}
      {act === 'label' && (
        <LabelDialog key="label" source={source} onClose={close} onChanged={onChanged} />
      )}
      {act === 'retire' && (
        <ConfirmDialog
          key="retire"
          title={isRetired ? `Volver a usar ${name}` : `Retirar ${name}`}
          act={isRetired ? 'Volver a usar' : 'Retirar'}
          isDangerous={!isRetired}
          onClose={close}
          send={async () => {
            await saveSource(source.source, { label: source.label, retired: !isRetired })
            announce(isRetired ? `${name} se usa otra vez.` : `${name} se retiró.`)
            onChanged()
          }}
        >
          {isRetired
            ? 'Se espera otra vez que esté al día antes de cerrar.'
            : 'Ya no se espera nada de este reloj. Sus checadas se conservan, y si vuelve a enviar, se usa otra vez.'}
        </ConfirmDialog>
      )}
    </div>
  )
}

interface DismissProps {
  source: string
  problem: IntakeProblem
  /** The problem in words. */
  about: string
  onChanged: () => void
}

/** Takes a problem off the list, with the reason why nothing has to be done about it. */
export const DismissButton = ({ source, problem, about, onChanged }: DismissProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <span>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        Descartar<span class="sr"> {about}</span>
      </button>
      {isOpen && (
        <ActDialog
          key="dialog"
          title="Descartar este aviso"
          act="Descartar"
          onClose={() => setOpen(false)}
          onDone={onChanged}
          send={async (given) => {
            await dismissProblem(source, (problem as { id?: number }).id ?? 0, given('comment'))
            announce('El aviso se descartó.')
          }}
        >
          <p>{about} Si vuelve a pasar, el aviso regresa.</p>
        </ActDialog>
      )}
    </span>
  )
}
