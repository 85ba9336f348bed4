import type { IntakeProblem, LogSource } from '../../sdk/api-types.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { ConfirmButton, DialogButton } from '../ui/dialog-button.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { announce } from '../ui/ui-state.ts'
import { dismissProblem, saveSource } from './sources.api.ts'

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
  /** The link to the page where the clock's key is made. Undefined if there is no such page. */
  keyLink: string | undefined
  onChanged: () => void
}

/** The buttons that name a clock, retire it, or end its retirement. */
export const SourceActs = ({ source, isRetired, keyLink, onChanged }: Props) => {
  const name = source.label ?? source.source
  const act = isRetired ? 'Volver a usar' : 'Retirar'
  return (
    <div class="acts start">
      {!isRetired && (
        <DialogButton
          class="quiet"
          label="Cambiar el nombre"
          about={`de ${name}`}
          dialog={(close) => <LabelDialog source={source} onClose={close} onChanged={onChanged} />}
        />
      )}
      <ConfirmButton
        key="retire"
        class={isRetired ? 'quiet' : 'quiet lost'}
        label={act}
        about={name}
        title={`${act} ${name}`}
        act={act}
        isDangerous={!isRetired}
        send={async () => {
          await saveSource(source.source, { label: source.label, retired: !isRetired })
          announce(isRetired ? `${name} se usa otra vez.` : `${name} se retiró.`)
          onChanged()
        }}
      >
        {isRetired
          ? 'Se espera otra vez que esté al día antes de cerrar.'
          : 'Ya no se espera nada de este reloj. Sus checadas se conservan, y si vuelve a enviar, se usa otra vez.'}
      </ConfirmButton>
      {keyLink && (
        <a class="button quiet" href={keyLink}>
          Clave para el reloj<span class="sr"> {name}</span>
        </a>
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

/** Removes a problem from the list, with the reason why nothing has to be done. */
export const DismissButton = ({ source, problem, about, onChanged }: DismissProps) => (
  <DialogButton
    class="quiet"
    label="Descartar"
    about={about}
    dialog={(close) => (
      <ActDialog
        title="Descartar este aviso"
        act="Descartar"
        onClose={close}
        onDone={onChanged}
        send={async (given) => {
          await dismissProblem(source, problem.id, given('comment'))
          announce('El aviso se descartó.')
        }}
      >
        <p>{about} Si vuelve a pasar, el aviso regresa.</p>
      </ActDialog>
    )}
  />
)
