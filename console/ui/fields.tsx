import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dayAndMonth } from './time.ts'
import { announce } from './ui-state.ts'
import type { FieldProps as FormFieldProps } from './use-form.tsx'

interface FieldProps {
  id: string
  label: string
  /** Whether only screen readers get the label. The field then has the same text beside it. */
  hasHiddenLabel?: boolean | undefined
  hint?: ComponentChildren
  /** The error of a form's field, or undefined while it has none. */
  problem?: string | undefined
  class?: string
  children: ComponentChildren
}

export const Field = (props: FieldProps) => {
  const { id, label, hasHiddenLabel, hint, problem, class: name = '', children } = props
  return (
    <div class={`field ${name}`}>
      <label for={id} class={hasHiddenLabel ? 'sr' : ''}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} class="note">
          {hint}
        </p>
      )}
      {'problem' in props && <FieldProblem id={id} problem={problem} />}
    </div>
  )
}

export const FieldProblem = ({ id, problem }: Pick<FieldProps, 'id' | 'problem'>) => (
  <p id={`${id}-problem`} class="problem" role="alert">
    {problem}
  </p>
)

/** The attributes that link an input to its hint and its error. */
export const aboutField = ({ id, hint, problem }: Pick<FieldProps, 'id' | 'hint' | 'problem'>) => ({
  'aria-describedby': hint ? `${id}-hint ${id}-problem` : `${id}-problem`,
  'aria-invalid': problem ? ('true' as const) : undefined,
})

interface TextFieldProps extends Omit<FieldProps, 'children' | 'problem'>, FormFieldProps<string> {
  /** The number of lines of a textarea. Without it, the field is an input. */
  rows?: number
  type?: string
  autocomplete?: string
  autofocus?: boolean
  readOnly?: boolean
  /** The id of the field's `Suggestions`. */
  list?: string
  /** The latest day of a date. */
  max?: string
  inputmode?: 'numeric' | 'decimal'
  inputRef?: RefObject<HTMLInputElement> | undefined
}

/** A field of a form for a text, a day or a number. */
export const TextField = (props: TextFieldProps) => {
  const { label, hasHiddenLabel, hint, problem, rows, inputRef, onChange, ...input } = props
  const field = {
    ...input,
    ...aboutField(props),
    onInput: ({ target }: Event) => onChange((target as HTMLInputElement).value),
  }
  return (
    <Field {...{ id: input.id, label, hasHiddenLabel, hint, problem }}>
      {rows ? (
        <textarea {...(field as object)} rows={rows} />
      ) : (
        <input ref={inputRef ?? null} {...(field as object)} />
      )}
    </Field>
  )
}

interface DateProps extends Omit<FieldProps, 'children'> {
  value: string
  max?: string
  onChange: (day: string) => void
}

/** A date field. It reports its value on blur or Enter, since a date is incomplete while typed. */
export const DateField = ({ value, max, onChange, ...field }: DateProps) => {
  const ref = useRef<HTMLInputElement>(null)
  // It is set only when it changes, so that another render does not replace what is being typed.
  useLayoutEffect(() => {
    if (ref.current) ref.current.value = value
  }, [value])
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
  name?: string
  value: string | undefined
  /** The values with their texts. A plain string is both the value and the text. */
  options: (string | readonly [value: string, text: string])[]
  /** The text of the empty value, or null if there is none to choose. */
  empty?: string | null
  disabled?: boolean
  onChange: (value: string) => void
}

/** A choice among values. The empty value means all values, unless `empty` has another text. */
export const Choice = ({
  value = '',
  name: fieldName,
  options,
  empty = 'Todos',
  disabled,
  onChange,
  ...field
}: ChoiceProps) => {
  const pairs = options.map((one) => (typeof one === 'string' ? ([one, one] as const) : one))
  const all = empty === null ? pairs : [['', empty] as const, ...pairs]
  const chosen = all.findIndex(([name]) => name === value)
  return (
    <Field {...field}>
      <select
        id={field.id}
        name={fieldName}
        value={value}
        disabled={disabled}
        {...('problem' in field && aboutField(field))}
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
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
  /** The label for screen readers, if the box has no visible text. */
  label?: string
  /** What only a form's field has. */
  input?: object
  children?: ComponentChildren
}

export const Checkbox = (props: CheckboxProps) => {
  const { checked, onChange, disabled, label, input, children } = props
  return (
    <label class="pick">
      <input
        {...input}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-label={label}
        onChange={({ target }: Event) => onChange((target as HTMLInputElement).checked)}
      />
      {children}
    </label>
  )
}

interface RadioProps extends FormFieldProps<string> {
  legend: string
  hasHiddenLegend?: boolean
  options: readonly (readonly [value: string, text: string])[]
  autofocus?: boolean
}

/** A choice of a form whose options are all seen. */
export const RadioField = (props: RadioProps) => {
  const { id, name, value, problem, legend, hasHiddenLegend, options, autofocus, onChange } = props
  return (
    <fieldset class="stack" aria-describedby={`${id}-problem`}>
      <legend class={hasHiddenLegend ? 'sr' : ''}>{legend}</legend>
      {options.map(([option, text], i) => (
        <label key={option} class="pick">
          <input
            type="radio"
            name={name}
            checked={value === option}
            autofocus={autofocus && i === 0}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
      <FieldProblem id={id} problem={problem} />
    </fieldset>
  )
}

type CheckFieldProps = FormFieldProps<boolean> & Pick<CheckboxProps, 'disabled' | 'children'>

/** A box of a form. */
export const CheckField = ({ id, name, value, problem, ...box }: CheckFieldProps) => (
  <div>
    <Checkbox {...box} checked={value} input={{ id, name, ...aboutField({ id, problem }) }} />
    <FieldProblem id={id} problem={problem} />
  </div>
)

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
