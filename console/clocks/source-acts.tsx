import type { ComponentChildren } from 'preact'
import type { IntakeProblem, LogSource } from '../../sdk/api-types.ts'
import { CommentButton, ConfirmButton, DialogButton } from '../ui/dialog-button.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
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

interface RetireProps {
  name: string
  isRetired: boolean
  retire: (retired: boolean) => Promise<unknown>
  /** What the act means. */
  children: ComponentChildren
}

/** The button that retires a clock, or ends its retirement. */
export const RetireButton = ({ name, isRetired, retire, children }: RetireProps) => {
  const act = isRetired ? 'Volver a usar' : 'Retirar'
  return (
    <ConfirmButton
      class={isRetired ? 'quiet' : 'quiet lost'}
      label={act}
      about={name}
      title={`${act} ${name}`}
      act={act}
      isDangerous={!isRetired}
      send={async () => {
        await retire(!isRetired)
        announce(isRetired ? `${name} se usa otra vez.` : `${name} se retiró.`)
      }}
    >
      {children}
    </ConfirmButton>
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
      <RetireButton
        key="retire"
        name={name}
        isRetired={isRetired}
        retire={(retired) => saveSource(source.source, { label: source.label, retired })}
      >
        {isRetired
          ? 'Se espera otra vez que esté al día antes de cerrar.'
          : 'Ya no se espera nada de este reloj. Sus checadas se conservan, y si vuelve a enviar, se usa otra vez.'}
      </RetireButton>
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
  <CommentButton
    class="quiet"
    label="Descartar"
    about={about}
    title="Descartar este aviso"
    act="Descartar"
    send={async (reason) => {
      await dismissProblem(source, problem.id, reason)
      announce('El aviso se descartó.')
    }}
  >
    <p>{about} Si vuelve a pasar, el aviso regresa.</p>
  </CommentButton>
)
