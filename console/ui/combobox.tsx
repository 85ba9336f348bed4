import Navigation from '@github/combobox-nav'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import styles from './combobox.module.css'
import { aboutField, Field } from './fields.tsx'
import { Icon } from './icon.tsx'

interface Props<Option> {
  label: string
  id?: string
  name?: string | undefined
  placeholder?: string
  value: string
  onInput: (text: string) => void
  options: readonly Option[]
  keyOf: (option: Option) => string
  /** How an option looks. */
  option: (option: Option) => ComponentChildren
  onChoose: (option: Option) => void
  /** Called when the list is to be closed without a choice. */
  onClose: () => void
  required?: boolean | undefined
  hint?: string
  problem?: string | undefined
}

/** A field with a list of what was found (WAI-ARIA: combobox with list autocomplete). */
export const Combobox = <Option,>(props: Props<Option>) => {
  const { label, name, placeholder, value, onInput, options, keyOf, option, onClose } = props
  const { required, hint, problem } = props
  const own = useId()
  const { id = own } = props
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isOpen = options.length > 0
  const navigation = useNavigation(input, list)
  useLayoutEffect(() => {
    if (!isOpen) return
    navigation.current?.start()
    return () => navigation.current?.stop()
  }, [options])
  const choose = ({ target }: Event) => {
    const chosen = options.find((_, i) => (target as HTMLElement).id === `${id}-${i}`)
    if (chosen) props.onChoose(chosen)
  }
  useLayoutEffect(() => {
    list.current?.addEventListener('combobox-commit', choose)
    return () => list.current?.removeEventListener('combobox-commit', choose)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    // The keys are for the list, and not for the dialog or the page around it.
    event.stopPropagation()
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <Field {...{ id, label, hint, problem }} class={styles.combobox ?? ''}>
      <div class="with-icon">
        <Icon name="search" />
        <input
          id={id}
          ref={input}
          name={name}
          type="text"
          autocomplete="off"
          placeholder={placeholder}
          aria-required={required ? 'true' : undefined}
          {...aboutField({ id, hint, problem })}
          value={value}
          onInput={({ target }: Event) => onInput((target as HTMLInputElement).value)}
          onKeyDown={onKeyDown}
          onBlur={onClose}
        />
      </div>
      <div
        id={`${id}-list`}
        ref={list}
        class={`popup ${styles.options}`}
        role="listbox"
        aria-label="Resultados"
        hidden={!isOpen}
        // A press on an option does not take the focus from the field.
        onPointerDown={(event: Event) => event.preventDefault()}
        onMouseDown={(event: Event) => event.preventDefault()}
      >
        {options.map((one, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div key={keyOf(one)} id={`${id}-${i}`} role="option">
            {option(one)}
          </div>
        ))}
      </div>
    </Field>
  )
}

/** The keys of the list. The first option is chosen with Enter. */
const useNavigation = (input: RefObject<HTMLInputElement>, list: RefObject<HTMLElement>) => {
  const navigation = useRef<Navigation>()
  useLayoutEffect(() => {
    if (!input.current || !list.current) return
    navigation.current = new Navigation(input.current, list.current, {
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: 'selected',
    })
    return () => navigation.current?.destroy()
  }, [])
  return navigation
}
