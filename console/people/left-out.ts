import { counted } from '../ui/text.ts'

interface Row {
  /** The row's number in the sheet. */
  line: number
  write: { full_name: string; employee_id: string }
  /** What is wrong, by field. */
  faults: Record<string, string>
}

export const hasFault = ({ faults }: Row): boolean => Object.keys(faults).length > 0

/** What has become of the rows of a sheet that was sent. @param saved how many were written */
export const savedText = (rows: readonly Row[], saved: number): string => {
  const left = rows.filter(hasFault).length
  const same = rows.length - saved - left
  return [
    `${saved === 1 ? 'Se guardó' : 'Se guardaron'} ${counted(saved, 'persona')}.`,
    same > 0 && counted(same, 'fila ya estaba igual.', 'filas ya estaban igual.'),
    left > 0 &&
      counted(left, 'fila quedó fuera y no se guardó:', 'filas quedaron fuera y no se guardaron:'),
  ]
    .filter(Boolean)
    .join(' ')
}

/** A row that was left out, with the reason: `Fila 3, Ana Ruiz (sin número): Falta el número.` */
export const leftOutText = ({ line, write, faults }: Row): string => {
  const who = `${write.full_name || 'sin nombre'} (${write.employee_id || 'sin número'})`
  return `Fila ${line}, ${who}: ${Object.values(faults).join(' ')}`
}
