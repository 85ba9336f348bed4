/** The service's values and fields as people read them. */
const LABELS: Record<string, string> = {
  pending: 'pendiente',
  approved: 'aprobada',
  rejected: 'rechazada',
  employee_id: 'el empleado',
  kind: 'el tipo',
  recorded_at: 'la hora',
  source: 'el origen',
}

export const labelOf = (value: unknown): string => LABELS[String(value)] ?? String(value)
