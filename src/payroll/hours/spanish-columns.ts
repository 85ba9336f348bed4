const COLUMNS: Readonly<Record<string, string>> = {
  employee_id: 'Número',
  rfc: 'RFC',
  full_name: 'Nombre',
  department: 'Departamento',
  branch_office: 'Sucursal',
  payroll_group: 'Grupo de nómina',
  ended_at: 'Último día',
  day: 'Día',
  weekday: 'Día de la semana',
  of_period: 'Del periodo',
  first_in: 'Primera entrada',
  last_out: 'Última salida',
  pairs: 'Pares',
  worked_seconds: 'Segundos trabajados',
  pending_seconds: 'Segundos por aprobar',
  detail: 'Detalle',
  exceptions: 'Excepciones',
  notices: 'Avisos',
  paid_seconds: 'Segundos pagados',
  paid_before_seconds: 'Segundos pagados antes',
  difference_seconds: 'Segundos de diferencia',
  closing_id: 'Cierre',
  previous_closing_id: 'Cierre anterior',
  held_seconds: 'Segundos retenidos',
  held_by: 'Retenidos por',
  reviewed: 'Revisada por',
  days: 'Días',
  days_with_exceptions: 'Días con excepción',
  week_from: 'Semana desde',
  week_to: 'Semana hasta',
  week_seconds: 'Segundos de la semana',
  limit_seconds: 'Segundos del límite',
  over_seconds: 'Segundos sobre el límite',
  shifts_over_12h: 'Jornadas de más de 12 h',
  open: 'Falta decidir',
  period_seconds: 'Segundos del periodo',
  added_seconds: 'Segundos de días anteriores',
  deducted_seconds: 'Segundos por descontar',
  total_seconds: 'Segundos por pagar',
  from_day: 'Primer día',
  holiday: 'Descanso obligatorio',
  sunday_seconds: 'Segundos en domingo',
  holiday_seconds: 'Segundos en descanso obligatorio',
}

/** `Horas trabajadas` for `Segundos trabajados` */
const toHours = (heading: string): string =>
  heading.replace(/^Segundos (\p{L}+)os\b/u, 'Horas $1as').replace(/^Segundos/, 'Horas')

/**
 * The headings of the files' columns for people, by the column's name in the API. Each column of
 * seconds has one of decimal hours.
 */
export const SPANISH_COLUMNS: Readonly<Record<string, string>> = {
  ...COLUMNS,
  ...Object.fromEntries(
    Object.entries(COLUMNS)
      .filter(([name]) => name.endsWith('_seconds'))
      .map(([name, heading]) => [name.replace(/_seconds$/, '_hours'), toHours(heading)]),
  ),
}
