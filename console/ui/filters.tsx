import type { ComponentChildren, FunctionComponent } from 'preact'
import { Choice, DateField, isPhone, MoreFilters } from './fields.tsx'
import styles from './filters.module.css'
import { linkTo } from './routes.ts'
import { TextFilter } from './text-filter.tsx'

type Options = readonly (string | readonly [value: string, text: string])[]

interface FieldProps {
  id: string
  value: string | undefined
  onChange: (value: string) => void
}

/** A field of a list's filter: the component that shows it. */
type FilterField = FunctionComponent<FieldProps>

/** A text that is searched. */
export const search =
  (label: string, useSuggestions?: () => string[]): FilterField =>
  (props) => <TextFilter {...props} label={label} names={useSuggestions?.()} />

/** @param options the values with their texts, or a hook that reads them */
export const choice =
  (label: string, options: Options | ((value?: string) => Options), empty?: string): FilterField =>
  (props) => (
    <Choice
      {...props}
      label={label}
      {...(empty && { empty })}
      options={[...(typeof options === 'function' ? options(props.value) : options)]}
    />
  )

export const day =
  (label: string): FilterField =>
  ({ value = '', ...props }) => <DateField {...props} value={value} label={label} />

type Filter<Fields> = { [Name in keyof Fields]?: string | undefined }

/**
 * Declares the filter of a page's list, one field a line. The fields give the address and the
 * inputs.
 * @param path the page's address
 */
export const declareFilter = <Fields extends Record<string, FilterField>>(
  path: string,
  fields: Fields,
) => {
  const names = Object.keys(fields) as (keyof Fields & string)[]
  /** The filter with which the list was shown last. Links back to the list use it. */
  let shown: Filter<Fields> = {}
  const linkWith = (changes: Filter<Fields> = {}): string => linkTo(path, { ...shown, ...changes })
  return {
    fields,
    names,
    /** Takes the filter from the page's address. */
    of: (query: Record<string, string>): Filter<Fields> => {
      shown = Object.fromEntries(names.map((name) => [name, query[name]])) as Filter<Fields>
      return shown
    },
    link: linkWith,
    /** Typing adds no entries to the browser's history. */
    change: (changes: Filter<Fields>) => location.replace(linkWith(changes)),
    isFiltered: (): boolean => names.some((name) => shown[name]),
    /** The address of the list without a filter. */
    removed: linkTo(path),
  }
}

interface Props<Fields extends Record<string, FilterField>> {
  of: ReturnType<typeof declareFilter<Fields>>
  filter: Filter<Fields>
}

/** The inputs of a filter. If there are many, a phone shows the first one and folds the others. */
export const Filters = <Fields extends Record<string, FilterField>>(props: Props<Fields>) => {
  const { of, filter } = props
  const [first, ...others] = of.names.map((name) => {
    const Input = of.fields[name] as FilterField
    const change = (value: string) => of.change({ [name]: value } as Filter<Fields>)
    return <Input key={name} id={`filter-${name}`} value={filter[name]} onChange={change} />
  })
  if (others.length <= 2) {
    return (
      <div class={styles.fields}>
        {first}
        {others}
      </div>
    )
  }
  return (
    <div class="filters">
      {first}
      <MoreFilters isFolded={isPhone() && !of.isFiltered()}>{others}</MoreFilters>
    </div>
  )
}

/** What an empty list says: that nothing matches, with a link that removes the filter. */
export const NoMatch = ({
  of,
  children,
}: {
  of: { isFiltered: () => boolean; removed: string }
  children: ComponentChildren
}) => (
  <>
    <p>{children}</p>
    {of.isFiltered() && (
      <a class="button" href={of.removed}>
        Quitar los filtros
      </a>
    )}
  </>
)
