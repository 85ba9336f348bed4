import { type Child, useId, useLayoutEffect, useRef } from 'hono/jsx/dom'
import { ActButton } from './buttons.tsx'
import { Field } from './fields.tsx'

interface Props {
  title: string
  label: string
  value: string
  children: Child
}

/** Shows a link or a token that cannot be read again, with a button that copies it. */
export const Once = ({ title, label, value, children }: Props) => {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [value])
  const copy = async () => {
    input.current?.select()
    return navigator.clipboard.writeText(value).then(
      () => 'Se copió.',
      () => 'El navegador no deja copiar: selecciónalo y cópialo tú.',
    )
  }
  return (
    <section class="done">
      <h2 ref={heading} tabindex={-1}>
        {title}
      </h2>
      <p>{children}</p>
      <div class="once">
        <Field id={id} label={label}>
          <input id={id} ref={input} readonly value={value} autocomplete="off" />
        </Field>
        <ActButton label="Copiar" class="primary" act={copy} />
      </div>
    </section>
  )
}
