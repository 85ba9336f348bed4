import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { ActButton } from '../ui/buttons.tsx'
import { Field } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { useLeaveQuestion } from '../ui/routes.ts'

interface Props {
  title: string
  label: string
  value: string
  /** A picture below the value, such as a QR code. */
  picture?: ComponentChildren
  children: ComponentChildren
}

/** Shows a link or a key that cannot be read again, with a button that copies it. */
export const Once = ({ title, label, value, picture, children }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState('')
  useLeaveQuestion(
    copied === value ? '' : `${label}: no lo has copiado y no se muestra otra vez. ¿Salir?`,
  )
  const copy = async () => {
    input.current?.select()
    return navigator.clipboard.writeText(value).then(
      () => {
        setCopied(value)
        return 'Se copió.'
      },
      () => 'El navegador no deja copiar: selecciónalo y cópialo tú.',
    )
  }
  return (
    <section class="done">
      <Heading level="h2" about={value}>
        {title}
      </Heading>
      <p>{children}</p>
      <div class="once">
        <Field id={id} label={label}>
          <input
            id={id}
            ref={input}
            readonly
            value={value}
            autocomplete="off"
            onCopy={() => setCopied(value)}
          />
        </Field>
        <ActButton label="Copiar" class="primary" act={copy} />
      </div>
      {picture}
    </section>
  )
}
