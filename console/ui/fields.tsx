import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dayAndMonth } from './time.ts'
import { announce } from './ui-state.ts'

interface FieldProps {
  id: string
  label: string
  /** Whether only screen readers get the label. The field then has the same text beside it. */
  hasHiddenLabel?: boolean | undefined
  children: ComponentChildren
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

/**
 * A ref for an input that the user changes. Its value is set only when `value` changes, so that
 * another render does not replace what is being typed.
 */
export const useSuggestedValue = <Input extends { value: string } = HTMLInputElement>(
  value: string | undefined,
) => {
  const ref = useRef<Input>(null)
  useLayoutEffect(() => {
    if (ref.current && value !== undefined) ref.current.value = value
  }, [value])
  return ref
}

/** A date field. It reports its value on blur or Enter, since a date is incomplete while typed. */
export const DateField = ({ value, max, onChange, ...field }: DateProps) => {
  const ref = useSuggestedValue(value)
  const apply = ({ target }: Event) => {
    const input = target as HTMLInputElement
    if (max !== undefined && input.value > max) {
      announce(`Elige un día hasta el ${dayAndMonth(max)}.`)
      input.value = value
    } else if (input.value !== value) onChange(input.value)
  }
  return (
    <Field {...field}>
      <input
        ref={ref}
        id={field.id}
        type="date"
        max={max}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return
          // Enter would also submit the form, with the previous date.
          event.preventDefault()
          apply(event)
        }}
      />
    </Field>
  )
}

interface ChoiceProps extends Omit<FieldProps, 'children'> {
  value: string | undefined
  /** The values with their texts. A plain string is both the value and the text. */
  options: (string | readonly [value: string, text: string])[]
  /** The text of the empty value. */
  empty?: string
  disabled?: boolean
  onChange: (value: string) => void
}

/** A choice among values. The empty value means all values, unless `empty` has another text. */
export const Choice = ({
  value = '',
  options,
  empty = 'Todos',
  disabled,
  onChange,
  ...field
}: ChoiceProps) => {
  const pairs = options.map((one) => (typeof one === 'string' ? ([one, one] as const) : one))
  const all = [['', empty] as const, ...pairs]
  const chosen = all.findIndex(([name]) => name === value)
  return (
    <Field {...field}>
      <select
        id={field.id}
        value={value}
        disabled={disabled}
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

interface BoxProps {
  disabled?: boolean
  /** The label for screen readers, if the box has no visible text. */
  label?: string
  children?: ComponentChildren
}

/** A box whose state is the form's: a render never changes it. */
interface FormBoxProps extends BoxProps {
  name?: string
  /**
   * What a form sends for a checked box. When the form restores a stored draft, the box is checked
   * only if the draft has this value.
   */
  value?: string
  /** Whether the box is checked at first. */
  defaultChecked?: boolean
}

/** A box that shows a state of the view. */
interface ViewBoxProps extends BoxProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A box has either `checked` and `onChange`, or a state that only the form knows. */
export const Checkbox = ({ label, children, ...input }: FormBoxProps | ViewBoxProps) => {
  const isOfView = 'onChange' in input
  return (
    <label class="pick">
      <input
        type="checkbox"
        {...input}
        aria-label={label}
        onChange={
          isOfView
            ? (event: Event) => input.onChange((event.target as HTMLInputElement).checked)
            : undefined
        }
      />
      {children}
    </label>
  )
}

export const isPhone = (): boolean => innerWidth <= 700

interface MoreFiltersProps {
  /** Whether the fields are hidden at first, to show more of the results. */
  isFolded: boolean
  children: ComponentChildren
}

export const MoreFilters = ({ isFolded, children }: MoreFiltersProps) => {
  // Later the user folds them.
  const [isOpen] = useState(!isFolded)
  return (
    <details class="filters" open={isOpen}>
      <summary>Más filtros</summary>
      <div class="fields">{children}</div>
    </details>
  )
}

/** The names that an input suggests while the user types. The input's `list` is this `id`. */
export const Suggestions = ({ id, names }: { id: string; names: string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
)
