interface Props {
  id: string
  label: string
  value: string
  max?: string
  /** Whether what stands beside the field says the same as its label. */
  hasHiddenLabel?: boolean
  onChange: (day: string) => void
}

/** Not while it is typed: a date is complete when the field is left, or at Enter. */
export const DateField = ({ id, label, value, max, hasHiddenLabel, onChange }: Props) => {
  const apply = ({ target }: Event) => {
    const day = (target as HTMLInputElement).value
    if (day !== value) onChange(day)
  }
  return (
    <div class="field">
      <label for={id} class={hasHiddenLabel ? 'sr' : ''}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        max={max}
        value={value}
        onBlur={apply}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply(event)}
      />
    </div>
  )
}
