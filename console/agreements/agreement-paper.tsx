import { useState } from 'preact/hooks'
import type { AgreementPerson } from '../../sdk/api-types.ts'
import { shownDay } from '../people/person-fields.ts'
import { CommentDialog, FormDialog } from '../ui/dialogs.tsx'
import { aboutField, Field, TextField } from '../ui/fields.tsx'
import { sha256 } from '../ui/sha256.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { type AgreementText, recordPaper, voidPaper } from './agreements.queries.ts'

interface Props {
  text: AgreementText
  person: AgreementPerson
  onClose: () => void
  onDone: () => void
}

/** The SHA-256 of a file, or an empty text if the file has no bytes. */
const hashOf = async (file: File): Promise<string> =>
  file.size === 0 ? '' : sha256(await file.arrayBuffer())

/** Records that a person has signed a text on paper. The scan never leaves the browser. */
export const PaperDialog = ({ text, person: { employee_id, full_name }, ...act }: Props) => {
  const [note, setNote] = useState('')
  const form = useForm({
    initial: { signed_on: '', file_sha256: '', comment: '' },
    check: ({ signed_on, file_sha256 }) => ({
      signed_on: !signed_on && 'Pon el día de la firma.',
      file_sha256: !file_sha256 && 'Elige el archivo y espera su huella.',
    }),
    send: async ({ comment, ...paper }) => {
      await recordPaper(text.id, { employee_id, ...paper, comment: comment || null })
      act.onClose()
      announce(`Quedó asentado el papel de ${full_name}.`)
      act.onDone()
    },
  })
  const choose = async ({ target }: Event) => {
    const input = target as HTMLInputElement
    const [file] = input.files ?? []
    form.set({ file_sha256: '' })
    setNote(file ? 'Se calcula la huella…' : '')
    const hash = file && (await hashOf(file).catch(() => ''))
    // The user may have chosen another file meanwhile.
    if (!file || input.files?.[0] !== file) return
    form.set({ file_sha256: hash ?? '' })
    setNote(hash ? `Huella: ${hash}` : 'Está vacío o no se pudo leer: elige otro.')
  }
  const { id, name, problem } = form.field('file_sha256')
  const hint =
    'El archivo no se envía: este navegador calcula su huella (SHA-256), y solo ella se guarda. Conserva ese mismo archivo sin cambios.'
  return (
    <FormDialog
      form={form}
      title={`Papel de ${full_name} (${employee_id})`}
      act="Asentar"
      onClose={act.onClose}
    >
      <TextField
        {...form.field('signed_on')}
        label="Día de la firma"
        type="date"
        hint={`Del ${shownDay(text.valid_from)} a hoy.`}
      />
      <Field id={id} label="Escaneo del papel firmado" hint={hint} problem={problem}>
        <input
          id={id}
          name={name}
          type="file"
          onInput={choose}
          {...aboutField({ id, hint, problem })}
        />
      </Field>
      <p class="note hash" role="status">
        {note}
      </p>
      <TextField {...form.field('comment')} label="Comentario (opcional)" rows={2} />
    </FormDialog>
  )
}

/** Voids a paper that was recorded by mistake. */
export const VoidDialog = ({ text, person, onClose, onDone }: Props) => (
  <CommentDialog
    onClose={onClose}
    title={`Anular el papel de ${person.full_name} (${person.employee_id})`}
    act="Anular"
    isDangerous
    send={async (comment) => {
      await voidPaper(text.id, { employee_id: person.employee_id, comment })
      announce(`Se anuló el papel de ${person.full_name}.`)
      onDone()
    }}
  >
    <p>
      Para un papel que se asentó por error. Los dos actos quedan en el historial, y esta persona
      falta otra vez.
    </p>
  </CommentDialog>
)
