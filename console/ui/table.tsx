import type { ComponentChildren } from 'preact'
import { Checkbox } from './fields.tsx'
import { Icon } from './icon.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  name: string
  /** Whether only screen readers get the name. */
  isNameHidden?: boolean
  /** What a cell shows. The first column's cells are the headings of their rows. */
  cell: (row: Row) => ComponentChildren
  /** The text by which the rows are sorted. Without it, the column does not sort. */
  text?: (row: Row) => string
  /** Whether a phone leaves it out. */
  isWide?: boolean
  /** Whether it has figures, which stand below each other. */
  isNumber?: boolean
}

export interface Sorting {
  /** The name of a column. */
  by: string
  isDescending: boolean
}

const { compare } = new Intl.Collator('es', { numeric: true })

/** Sorts rows by a column. Rows with equal texts stand in the order of their keys. */
export const sorted = <Row,>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { by, isDescending }: Sorting,
  keyOf: (row: Row) => string,
): Row[] => {
  const textOf = columns.find(({ name }) => name === by)?.text ?? keyOf
  const order = (a: Row, b: Row) => compare(textOf(a), textOf(b)) || compare(keyOf(a), keyOf(b))
  return [...rows].sort((a, b) => (isDescending ? order(b, a) : order(a, b)))
}

interface Props<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  sorting?: { now: Sorting; change: (sorting: Sorting) => void }
  selection?: {
    has: (row: Row) => boolean
    change: (row: Row, isSelected: boolean) => void
    /** What screen readers say of a row's box. */
    label: (row: Row) => string
  }
  classOf?: (row: Row) => string
}

/** Rows with declared columns. */
export const Table = <Row,>(props: Props<Row>) => {
  const { columns, rows, keyOf, sorting, selection, classOf } = props
  const head = ({ name, text, isNameHidden }: Column<Row>) => {
    if (!sorting || !text) return isNameHidden ? <span class="sr">{name}</span> : name
    const { now, change } = sorting
    const isSorted = now.by === name
    const isDescending = isSorted && !now.isDescending
    return (
      <button type="button" class="quiet" onClick={() => change({ by: name, isDescending })}>
        {name}
        {isSorted && <Icon name={now.isDescending ? 'fold' : 'unfold'} />}
      </button>
    )
  }
  const orderOf = ({ name }: Column<Row>) => {
    if (sorting?.now.by !== name) return undefined
    return sorting.now.isDescending ? 'descending' : 'ascending'
  }
  const look = ({ isWide, isNumber }: Column<Row>) =>
    [isWide && styles.wide, isNumber && styles.number].filter(Boolean).join(' ')
  return (
    <table class={styles.table}>
      <thead>
        <tr>
          {selection && (
            <th scope="col">
              <span class="sr">Seleccionar</span>
            </th>
          )}
          {columns.map((column) => (
            <th key={column.name} scope="col" class={look(column)} aria-sort={orderOf(column)}>
              {head(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row)}>
            {selection && (
              <td>
                <Checkbox
                  checked={selection.has(row)}
                  label={selection.label(row)}
                  onChange={(isSelected) => selection.change(row, isSelected)}
                />
              </td>
            )}
            {columns.map((column, i) =>
              i === 0 ? (
                <th key={column.name} scope="row" class={look(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.name} class={look(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
