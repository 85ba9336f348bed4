import type { Child } from 'hono/jsx/dom'

interface FieldProps {
  id: string
  label: string
  /** Whether only screen readers get the label. The field then has the same text beside it. */
  hasHiddenLabel?: boolean | undefined
  children: Child
}

export const Field = ({ id, label, hasHiddenLabel, children }: FieldProps) => (
  <div class="field">
    <label for={id} class={hasHiddenLabel ? 'sr' : ''}>
      {label}
    </label>
    {children}
  </div>
)

interface DateProps extends Omit<FieldProps, 'children'> {
  value: string
  max?: string
  onChange: (day: string) => void
}

/** A date field. It reports its value on blur or Enter, since a date is incomplete while typed. */
export const DateField = ({ value, max, onChange, ...field }: DateProps) => {
  const apply = ({ target }: Event) => {
    const day = (target as HTMLInputElement).value
    if (day !== value) onChange(day)
  }
  return (
    <Field {...field}>
      <input
        id={field.id}
        type="date"
        max={max}
        value={value}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply(event)}
      />
    </Field>
  )
}

interface ChoiceProps extends Omit<FieldProps, 'children'> {
  value: string | undefined
  options: (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}

/** A choice among values. The empty value stands for all of them. */
export const Choice = ({ value = '', options, onChange, ...field }: ChoiceProps) => {
  const all = [['', 'Todos'] as const, ...options]
  const chosen = all.findIndex(([name]) => name === value)
  return (
    <Field {...field}>
      <select
        id={field.id}
        value={value}
        onChange={(event: Event) => onChange((event.target as HTMLSelectElement).value)}
      >
        {all.map(([name, text], i) => (
          <option key={i} value={name} selected={i === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface CheckboxProps {
  name?: string
  checked?: boolean
  disabled?: boolean
  /** The label for screen readers, if the box has no visible text. */
  label?: string
  onChange?: (checked: boolean) => void
  children?: Child
}

export const Checkbox = ({ label, onChange, children, ...input }: CheckboxProps) => (
  <label class="pick">
    <input
      type="checkbox"
      {...input}
      aria-label={label}
      onChange={(event: Event) => onChange?.((event.target as HTMLInputElement).checked)}
    />
    {children}
  </label>
)
