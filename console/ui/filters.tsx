import type { ComponentChildren, FunctionComponent } from 'preact'
import { Choice, DateField, isPhone, MoreFilters } from './fields.tsx'
import { PersonFilter } from './person-search.tsx'
import { linkTo, toAddress } from './routes.ts'
import { TextFilter } from './text-filter.tsx'

type Options = readonly (string | readonly [value: string, text: string])[]

interface FieldProps {
  id: string
  value: string | undefined
  onChange: (value: string) => void
  /** All fields. */
  filter: Record<string, string | undefined>
}

/** A field of a list's filter: the component that shows it. */
export type FilterField = FunctionComponent<FieldProps>

/** A text that is searched. */
export const search =
  (label: string, useSuggestions?: () => string[]): FilterField =>
  ({ id, value, onChange }) => (
    <TextFilter {...{ id, label, value, onChange }} names={useSuggestions?.()} />
  )

export const person =
  (): FilterField =>
  ({ value, onChange }) => <PersonFilter id={value} onChange={onChange} />

/** @param options the values with their texts, or a hook that reads them */
export const choice =
  (label: string, options: Options | ((value?: string) => Options), empty?: string): FilterField =>
  ({ id, value: chosen, onChange }) => (
    <Choice
      {...{ id, label, onChange }}
      {...(empty && { empty })}
      value={toAddress(chosen)}
      options={(typeof options === 'function' ? options(chosen) : options).map((one) => {
        const [value, text] = typeof one === 'string' ? [one, one] : one
        return [toAddress(value), text] as const
      })}
    />
  )

export const day =
  (label: string): FilterField =>
  ({ id, value = '', onChange }) => <DateField {...{ id, label, value, onChange }} />

export const isFiltered = (fields: object, filter: object): boolean =>
  Object.keys(fields).some((name) => filter[name as keyof typeof filter] !== undefined)

/** The fields of a list that is filtered by the service: those of its query, `satisfies FieldsOf<…>`. */
export type FieldsOf<Query> = Partial<Record<keyof Query, FilterField>>

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
  const link = (changes: Filter<Fields> = {}): string => linkTo(path, { ...shown, ...changes })
  return {
    fields,
    /** Takes the filter from the page's address. */
    of: (query: Record<string, string>): Filter<Fields> => {
      shown = Object.fromEntries(names.map((name) => [name, query[name]])) as Filter<Fields>
      return shown
    },
    link,
    /** Typing adds no entries to the browser's history. */
    change: (changes: Filter<Fields>) => location.replace(link(changes)),
    isFiltered: (): boolean => isFiltered(fields, shown),
    /** The address of the list without a filter. */
    removed: linkTo(path),
  }
}

interface Props<Fields extends Record<string, FilterField>> {
  of: {
    fields: Fields
    change: (changes: Filter<Fields>) => void
  }
  filter: Filter<Fields>
  /** Whether all fields are folded at first. Without it, a phone folds those after the first. */
  isFolded?: boolean
}

/** The inputs of a filter. If there are many, a phone folds all but the first. */
export const Filters = <Fields extends Record<string, FilterField>>(props: Props<Fields>) => {
  const { of, filter, isFolded } = props
  const names = Object.keys(of.fields) as (keyof Fields & string)[]
  const inputs = names.map((name) => {
    const Input = of.fields[name] as FilterField
    const change = (value: string) => of.change({ [name]: value } as Filter<Fields>)
    const id = `filter-${name}`
    return <Input key={name} id={id} value={filter[name]} filter={filter} onChange={change} />
  })
  const [first, ...others] = inputs
  if (isFolded !== undefined) return <MoreFilters isFolded={isFolded}>{inputs}</MoreFilters>
  if (others.length <= 2) return <div class="fields">{inputs}</div>
  return (
    <div class="filters">
      {first}
      <MoreFilters isFolded={isPhone() && !isFiltered(of.fields, filter)}>{others}</MoreFilters>
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
