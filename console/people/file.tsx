import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { can } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { Checkbox, CheckField, Choice, Field } from '../ui/fields.tsx'
import { Rows } from '../ui/list.tsx'
import { groupBy } from '../ui/order.ts'
import { Page } from '../ui/page.tsx'
import { Paged } from '../ui/paged.tsx'
import { AlertList, Problem, Remark } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import { longDate } from '../ui/time.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { hasFault, leftOutText, savedText } from './left-out.ts'
import {
  checkFile,
  choiceProblem,
  chooseBlanks,
  chooseColumn,
  chooseDayOrder,
  chooseHeadRow,
  chooseSurnamesFirst,
  chooseUnformat,
  correctCell,
  erasedBy,
  type FileRow,
  forgetFile,
  hasWarning,
  isToSend,
  type NewPlace,
  openText,
  peopleFile,
  sendFile,
  takeNearPlace,
} from './people-file.state.ts'
import { FIELD_NAMES, FIELDS, type FieldName, isDayField, shownValue } from './person-fields.ts'
import { columnName, columnsInDoubt, countRows, findFormatted } from './sheet.ts'
import { isSheetField, SHEET_FIELDS } from './sheet-columns.ts'
import type { DayOrder } from './sheet-days.ts'
import { damageIn, decodeFile, HEAD_ROWS_MAX, isWorkbook } from './sheet-text.ts'
import { namesFirst } from './surnames.ts'

const readFile = async (file: File): Promise<void> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isWorkbook(bytes)) return openText(decodeFile(bytes))
  forgetFile('Es un libro de Excel: guárdalo como CSV, o copia sus celdas y pégalas aquí.')
}

/** Asks for the sheet. Pasted cells are read at once, because a field with them would be slow. */
const Source = () => {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    void openText(event.clipboardData?.getData('text/plain') ?? '')
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    void openText(area.current?.value ?? '')
  }
  return (
    <form onSubmit={onSubmit} novalidate>
      <p>
        Una fila lleva los nombres de las columnas: Número, Nombre, RFC, Sucursal, Departamento,
        Puesto, Grupo de nómina, Ingreso, Último día, Se paga desde, Teléfono, Celular, Imagen. Las
        columnas que no vengan y las celdas vacías se quedan como están. Nada se guarda antes de que
        lo veas.
      </p>
      <Field id={`${id}-cells`} label="Copia las celdas en tu hoja y pégalas aquí">
        <textarea id={`${id}-cells`} ref={area} rows={4} onPaste={onPaste} />
      </Field>
      <Field id={`${id}-file`} label="O elige un archivo CSV">
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={({ target }: Event) => {
            const file = (target as HTMLInputElement).files?.[0]
            if (file) void readFile(file)
          }}
        />
      </Field>
      <footer>
        <button type="submit">Leer las celdas</button>
      </footer>
    </form>
  )
}

/** The columns of the sheet, each with the field that it fills. */
const Columns = ({ isBusy }: { isBusy: boolean }) => {
  const { table, columns, headRow, blanksErase, unformat, dayOrders, surnamesFirst } =
    useStore(peopleFile)
  const fullName = table[headRow + 1]?.[columns.indexOf('full_name')]?.trim()
  const formatted = findFormatted(table, { columns, headRow })
  const hasParts = columns.includes('first_names') || columns.includes('last_name')
  const absent = FIELDS.filter(
    (name) => !columns.includes(name) && !(name === 'full_name' && hasParts),
  ).map((name) => FIELD_NAMES[name])
  const names = table[headRow] ?? []
  const example = table[headRow + 1] ?? []
  const headRows = table.slice(0, HEAD_ROWS_MAX).map((_, i) => [String(i), String(i + 1)] as const)
  return (
    <div>
      <Choice
        id="head-row"
        label="Los nombres de las columnas están en la fila"
        empty="No los trae"
        value={headRow === -1 ? '' : String(headRow)}
        options={headRows}
        disabled={isBusy}
        onChange={(row) => chooseHeadRow(row === '' ? -1 : Number(row))}
      />
      <div class="fields">
        {columns.map((field, i) => (
          <div key={i}>
            <Choice
              id={`column-${i}`}
              label={`${columnName(i)}: ${names[i] || 'sin nombre'}`}
              empty="No se usa"
              value={field}
              options={Object.entries(SHEET_FIELDS)}
              disabled={isBusy}
              onChange={(value) => chooseColumn(i, isSheetField(value) ? value : undefined)}
            />
            <p class="note">{example[i] ? `Por ejemplo: ${example[i].slice(0, 40)}` : ''}</p>
          </div>
        ))}
      </div>
      {columnsInDoubt(table, { columns, headRow }).map((at) => (
        <Choice
          key={`order ${at}`}
          id={`order-${at}`}
          label={`Las fechas de ${columnName(at)}: ${names[at] || 'sin nombre'} están en`}
          empty="Elige: una de ellas solo existe en mes/día/año"
          value={dayOrders[at]}
          options={[
            ['day-month', 'día/mes/año'],
            ['month-day', 'mes/día/año'],
          ]}
          disabled={isBusy}
          onChange={(order) => chooseDayOrder(at, order ? (order as DayOrder) : undefined)}
        />
      ))}
      {fullName && (
        <Checkbox
          key="surnames"
          checked={surnamesFirst}
          disabled={isBusy}
          onChange={chooseSurnamesFirst}
        >
          Los nombres empiezan por los apellidos: «{fullName}» es «{namesFirst(fullName)}»
        </Checkbox>
      )}
      {formatted && (
        <Checkbox key="formatted" checked={unformat} disabled={isBusy} onChange={chooseUnformat}>
          Quitar el formato de la hoja, como el de {formatted}
        </Checkbox>
      )}
      {absent.length > 0 && (
        <p class="note">No vienen, y se quedan como están: {absent.join(', ')}.</p>
      )}
      <Checkbox key="blanks" checked={blanksErase} disabled={isBusy} onChange={chooseBlanks}>
        Las celdas vacías borran lo que hay
      </Checkbox>
    </div>
  )
}

const RESULTS = { new: 'Nueva', changed: 'Cambia', same: 'Igual' }

/** `5 de marzo de 2024` for a day, and other values as they are. */
const inWords = (name: FieldName, value: string | null | undefined): string =>
  value && isDayField(name) && /^\d{4}-\d\d-\d\d$/.test(value) ? longDate(value) : shownValue(value)

interface CorrectionProps {
  row: FileRow
  name: FieldName
  corrected: string | undefined
}

/** A field in which the user corrects a cell. A button has what a changed cell probably was. */
const Correction = ({ row: { line, write, spoiled }, name, corrected }: CorrectionProps) => {
  const stored = write[name] ?? ''
  const probably = spoiled[name] ?? damageIn(stored)?.probably
  const id = `cell-${line}-${name}`
  const correct = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    correctCell(line, name, currentTarget.value)
  return (
    <Field id={id} label={`${FIELD_NAMES[name]} de la fila ${line}`} hasHiddenLabel>
      <input
        key={corrected}
        id={id}
        defaultValue={corrected ?? stored}
        autocomplete="off"
        onChange={correct}
      />
      {probably && corrected === undefined && (
        <button type="button" class="quiet" onClick={() => correctCell(line, name, probably)}>
          Es «{probably}»
        </button>
      )}
    </Field>
  )
}

/** A row of the sheet: a new person's values, or the fields that change, have a fault or a warning. */
const Row = ({ row }: { row: FileRow }) => {
  const { line, write, before, result, warnings, spoiled, faults } = row
  const { corrections } = useStore(peopleFile)
  const corrected = corrections.get(line) ?? {}
  const mayCorrect = (name: FieldName) => faults[name] || spoiled[name] !== undefined
  const isSeen = (name: FieldName) =>
    faults[name] || warnings[name] || (before && result && write[name] !== before[name])
  return (
    <li>
      <h3>
        Fila {line}: {write.full_name || 'sin nombre'} ({write.employee_id || 'sin número'}){' '}
        <span class={`status ${hasFault(row) ? 'rejected' : hasWarning(row) ? 'pending' : ''}`}>
          {hasFault(row) ? 'Con error' : result ? RESULTS[result] : ''}
        </span>
      </h3>
      {result === 'new' && !hasWarning(row) && (
        <p class="note">
          {FIELDS.filter((name) => write[name])
            .map((name) => `${FIELD_NAMES[name]}: ${inWords(name, write[name])}`)
            .join(' · ')}
        </p>
      )}
      {FIELDS.filter(isSeen).map((name) => (
        <div key={name}>
          <p>
            {FIELD_NAMES[name]}:{' '}
            {before && write[name] !== before[name] && `${inWords(name, before[name])} → `}
            {inWords(name, write[name])}
          </p>
          {faults[name] && corrected[name] === undefined && <p class="problem">{faults[name]}</p>}
          {warnings[name] && <Remark>{warnings[name].join(' ')}</Remark>}
          {mayCorrect(name) && corrected[name] !== undefined && (
            <p>Corregido: falta revisar de nuevo.</p>
          )}
          {mayCorrect(name) && <Correction row={row} name={name} corrected={corrected[name]} />}
        </div>
      ))}
      {faults.expected_version && <p class="problem">{faults.expected_version}</p>}
    </li>
  )
}

/** Rows with faults come first, then rows with warnings, then changed rows, then all others. */
const rankOf = (row: FileRow): number =>
  hasFault(row) ? 0 : hasWarning(row) ? 1 : row.result === 'changed' ? 2 : 3

const NEW_PLACES = [
  ['branch_office', 'Sucursales nuevas'],
  ['department', 'Departamentos nuevos'],
] as const

/** The maximum number of new names to show. With more, a column was probably chosen wrongly. */
const PLACES_SHOWN = 30

/** Asks whether a new name is one that is in use, and writes that one if so. */
const NearPlace = ({ place }: { place: NewPlace }) => {
  const { value, near } = place
  if (near === undefined) return null
  return (
    <p class="acts">
      ¿«{value}» es «{near}»?
      <button type="button" class="quiet" onClick={() => takeNearPlace(place)}>
        Sí, es «{near}»
      </button>
    </p>
  )
}

/** Shows the places that only the sheet has, each with the number of rows that have it. */
const NewPlaces = ({ places }: { places: NewPlace[] }) => (
  <div>
    {NEW_PLACES.map(([field, title]) => {
      const found = places.filter((place) => place.field === field)
      const texts = found
        .slice(0, PLACES_SHOWN)
        .map(({ value, count }) => `«${value}» (${counted(count, 'fila')})`)
      if (found.length > PLACES_SHOWN) {
        texts.push(`y ${counted(found.length - PLACES_SHOWN, 'nombre')} más`)
      }
      return (
        found.length > 0 && (
          <div key={field} class="stack">
            <Remark>
              {title}: {texts.join(', ')}.
            </Remark>
            {found.slice(0, PLACES_SHOWN).map((place) => (
              <NearPlace key={place.value} place={place} />
            ))}
          </div>
        )
      )
    })}
  </div>
)

const erasedText = (erased: [FieldName, number][]): string =>
  erased
    .map(([field, count]) => {
      if (field === 'ended_at') return counted(count, 'vuelve a trabajar', 'vuelven a trabajar')
      if (field === 'paid_from') {
        return `${counted(count, 'se paga', 'se pagan')} desde el día de su grupo`
      }
      const name = field === 'rfc' ? 'RFC' : FIELD_NAMES[field].toLowerCase()
      return `${counted(count, 'queda', 'quedan')} sin ${name}`
    })
    .join(', ')

/** Names the payroll groups that the sheet has and the company does not. */
const MissingGroups = ({ rows }: { rows: FileRow[] }) => {
  const missing = rows.filter(({ faults }) => faults.payroll_group)
  const counts = groupBy(missing, ({ write }) => write.payroll_group)
  if (counts.size === 0) return null
  const texts = [...counts].map(([name, { length }]) => `«${name}» (${counted(length, 'fila')})`)
  return (
    <Remark>
      Grupos de nómina que no existen: {texts.join(', ')}.{' '}
      {can('pay') ? (
        <>
          Agrégalos en <a href={linkTo('empresa')}>Empresa</a> y revisa de nuevo: la hoja te espera.
        </>
      ) : (
        'Los agrega quien cierra y paga.'
      )}
    </Remark>
  )
}

/** Shows what would change, and asks for a confirmation. */
const Checked = ({ rows, isStopped }: { rows: FileRow[]; isStopped: boolean }) => {
  const { newPlaces } = useStore(peopleFile)
  const toSend = rows.filter(isToSend)
  const faulty = rows.filter(hasFault).length
  const warned = toSend.filter(hasWarning).length
  const erased = erasedBy(toSend)
  const shown = rows.filter((row) => hasFault(row) || hasWarning(row) || isToSend(row))
  const numberOf = (result: FileRow['result']) =>
    rows.filter((row) => !hasFault(row) && row.result === result).length
  /** What the user confirms, by the names of the boxes. */
  const texts = {
    faulty: faulty > 0 && `Dejar fuera ${counted(faulty, 'fila')} con error y guardar las demás`,
    places: newPlaces.length > 0 && 'Lo nuevo está bien escrito',
    erased: erased.length > 0 && `Las celdas vacías borran: ${erasedText(erased)}`,
    warned: warned > 0 && `Leí los avisos de ${counted(warned, 'fila')} y es correcto`,
  }
  const names = (Object.keys(texts) as (keyof typeof texts)[]).filter((name) => texts[name])
  const form = useForm({
    initial: { faulty: false, places: false, erased: false, warned: false },
    check: (values) =>
      Object.fromEntries(names.map((name) => [name, !values[name] && 'Confirma esto.'])),
    // The page shows the progress in place of the form.
    send: async () => void sendFile(),
  })
  return (
    <div class="result">
      <p role="status">
        {counted(numberOf('new'), 'nueva')}, {counted(numberOf('changed'), 'cambia', 'cambian')},{' '}
        {counted(numberOf('same'), 'igual', 'iguales')}, {faulty.toLocaleString('es-MX')} con error.
      </p>
      <MissingGroups rows={rows} />
      {!isStopped && newPlaces.length > 0 && <NewPlaces places={newPlaces} />}
      {!isStopped && toSend.length > 0 && (
        <Form form={form} act={`Guardar ${counted(toSend.length, 'persona')}`}>
          {names.map((name) => (
            <CheckField key={name} {...form.field(name)}>
              {texts[name]}
            </CheckField>
          ))}
        </Form>
      )}
      {!isStopped && toSend.length === 0 && <p>No hay nada que guardar.</p>}
      {shown.length > 0 && (
        <Paged
          items={[...shown].sort((a, b) => rankOf(a) - rankOf(b) || a.line - b.line)}
          render={(page) => (
            <Rows>
              {page.map((row) => (
                <Row key={row.line} row={row} />
              ))}
            </Rows>
          )}
        />
      )}
    </div>
  )
}

const TITLES = {
  empty: '',
  columns: 'Columnas',
  checking: 'Revisando…',
  checked: 'Así quedaría',
  sending: 'Guardando…',
  stopped: 'No se terminó',
  done: 'Se guardó',
}

/** Adds and changes people from a sheet. */
export const PeopleFile = () => {
  const { phase, table, headRow, rows, done, total, problem, isCorrected } = useStore(peopleFile)
  const heading = useRef<HTMLHeadingElement>(null)
  const isBusy = phase === 'checking' || phase === 'sending'
  const isOpen = phase !== 'empty' && phase !== 'done'
  const count = countRows(table, headRow)
  const missing = choiceProblem()
  // With `useEffect`, the focus would move later and could interrupt somebody who is typing.
  useLayoutEffect(() => heading.current?.focus(), [phase])
  return (
    <Page back={{ to: linkTo('personas'), list: 'Personas' }} title="Desde una hoja o un archivo">
      {phase === 'empty' && <Source />}
      {isOpen && (
        <details open={phase === 'columns'} class="result">
          <summary>{counted(count, 'fila')}. Qué es cada columna</summary>
          <Columns isBusy={isBusy} />
        </details>
      )}
      {phase !== 'empty' && (
        <section class="result">
          <h2 ref={heading} tabindex={-1}>
            {TITLES[phase]}
          </h2>
          {isBusy && (
            <div class="progress">
              <progress max={total} value={done} aria-label="Avance" />
              <p role="status">
                {done.toLocaleString('es-MX')} de {counted(total, 'fila')}
              </p>
            </div>
          )}
          {phase === 'done' && (
            <div>
              <p>{savedText(rows, total)}</p>
              <Paged
                items={rows.filter(hasFault).map(leftOutText)}
                render={(shown) => <AlertList lines={shown} />}
              />
            </div>
          )}
        </section>
      )}
      <Problem text={problem} />
      {isOpen && missing && <p class="problem">{missing}</p>}
      {phase !== 'empty' && !isBusy && (
        <footer>
          <button type="button" onClick={() => forgetFile()}>
            {phase === 'done' ? 'Otra hoja' : 'Empezar de nuevo'}
          </button>
          {(phase !== 'done' || rows.some(hasFault)) && (
            <button
              type="button"
              class={phase === 'checked' && !isCorrected ? '' : 'primary'}
              disabled={missing !== ''}
              onClick={checkFile}
            >
              {phase === 'columns' ? `Revisar ${counted(count, 'fila')}` : 'Revisar de nuevo'}
            </button>
          )}
        </footer>
      )}
      {(phase === 'checked' || phase === 'stopped') && (
        <Checked key={`checked ${phase}`} rows={rows} isStopped={phase === 'stopped'} />
      )}
    </Page>
  )
}
