import { useState } from 'preact/hooks'
import type { AgreementPerson } from '../../sdk/api-types.ts'
import { shownDay } from '../people/person-fields.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { sha256 } from '../ui/sha256.ts'
import { announce } from '../ui/ui-state.ts'
import { type AgreementText, recordPaper, voidPaper } from './agreements.api.ts'

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
  const [sha256, setSha256] = useState('')
  const [note, setNote] = useState('')
  const choose = async ({ target }: Event) => {
    const input = target as HTMLInputElement
    const [file] = input.files ?? []
    setSha256('')
    setNote(file ? 'Se calcula la huella…' : '')
    const hash = file && (await hashOf(file).catch(() => ''))
    // The user may have chosen another file meanwhile.
    if (!file || input.files?.[0] !== file) return
    setSha256(hash ?? '')
    setNote(hash ? `Huella: ${hash}` : 'Está vacío o no se pudo leer: elige otro.')
  }
  const form = useForm({
    check: (given) => ({
      ...(!given('signed_on') && { signed_on: 'Pon el día de la firma.' }),
      ...(!sha256 && { file_sha256: 'Elige el archivo y espera su huella.' }),
    }),
    send: async (given) => {
      const [signed_on, comment] = [given('signed_on'), given('comment') || null]
      await recordPaper(text.id, { employee_id, signed_on, file_sha256: sha256, comment })
      act.onClose()
      announce(`Quedó asentado el papel de ${full_name}.`)
      act.onDone()
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Papel de ${full_name} (${employee_id})`}
      act="Asentar"
      problem={form.problems.all ?? form.problems.employee_id}
      onClose={act.onClose}
    >
      <FormField
        form={form}
        name="signed_on"
        label="Día de la firma"
        type="date"
        hint={`Del ${shownDay(text.valid_from)} a hoy.`}
      />
      <FormField
        form={form}
        name="file_sha256"
        label="Escaneo del papel firmado"
        type="file"
        hint="El archivo no se envía: este navegador calcula su huella (SHA-256), y solo ella se guarda. Conserva ese mismo archivo sin cambios."
        onInput={choose}
      />
      <p class="note hash" role="status">
        {note}
      </p>
      <FormField form={form} name="comment" label="Comentario (opcional)" rows={2} />
    </FormDialog>
  )
}

/** Voids a paper that was recorded by mistake. */
export const VoidDialog = ({ text, person: { employee_id, full_name }, ...act }: Props) => (
  <ActDialog
    {...act}
    title={`Anular el papel de ${full_name} (${employee_id})`}
    act="Anular"
    isDangerous
    send={async (given) => {
      await voidPaper(text.id, { employee_id, comment: given('comment') })
      announce(`Se anuló el papel de ${full_name}.`)
    }}
  >
    <p>
      Para un papel que se asentó por error. Los dos actos quedan en el historial, y esta persona
      falta otra vez.
    </p>
  </ActDialog>
)
