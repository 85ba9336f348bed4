import type { IntakeProblem, LogSource } from '../../sdk/api-types.ts'
import { ConfirmButton, DialogButton } from '../ui/dialog-button.tsx'
import { CommentDialog, FormDialog } from '../ui/dialogs.tsx'
import { TextField } from '../ui/fields.tsx'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { dismissProblem, saveSource } from './sources.queries.ts'

interface LabelProps {
  source: LogSource
  onClose: () => void
}

const LabelDialog = ({ source: { source, label }, onClose }: LabelProps) => {
  const form = useForm({
    initial: { label: label ?? '' },
    send: async ({ label }) => {
      await saveSource(source, { label: label || null, retired: false })
      onClose()
      announce(label ? `Ahora se llama ${label}.` : 'Se quitó el nombre.')
    },
  })
  return (
    <FormDialog form={form} title={`Nombre de ${source}`} act="Guardar" onClose={onClose}>
      <TextField {...form.field('label')} label="Cómo le dicen las personas" />
    </FormDialog>
  )
}

interface Props {
  source: LogSource
  isRetired: boolean
  /** The link to the page where the clock's key is made. Undefined if there is no such page. */
  keyLink: string | undefined
}

/** The buttons that name a clock, retire it, or end its retirement. */
export const SourceActs = ({ source, isRetired, keyLink }: Props) => {
  const name = source.label ?? source.source
  const act = isRetired ? 'Volver a usar' : 'Retirar'
  return (
    <div class="acts">
      {!isRetired && (
        <DialogButton
          class="quiet"
          label="Cambiar el nombre"
          about={`de ${name}`}
          dialog={(close) => <LabelDialog source={source} onClose={close} />}
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
}

/** Removes a problem from the list, with the reason why nothing has to be done. */
export const DismissButton = ({ source, problem, about }: DismissProps) => (
  <DialogButton
    class="quiet"
    label="Descartar"
    about={about}
    dialog={(close) => (
      <CommentDialog
        title="Descartar este aviso"
        act="Descartar"
        onClose={close}
        send={async (reason) => {
          await dismissProblem(source, problem.id, reason)
          announce('El aviso se descartó.')
        }}
      >
        <p>{about} Si vuelve a pasar, el aviso regresa.</p>
      </CommentDialog>
    )}
  />
)
