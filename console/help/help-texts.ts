/** The texts of the page "Ayuda", for payroll clerks and supervisors. */

interface Step {
  title: string
  text: string
  /** A file of `console/help/pictures`, without its ending, and what it shows. */
  picture?: readonly [name: string, alt: string]
}

/** The steps of a fortnight, from its first day to the corrections after its closing. */
export const STEPS: Step[] = [
  {
    title: 'Cada mañana, mira qué espera',
    text: '«Hoy» dice qué espera, quién está en turno y qué relojes callan. Uno «Sin noticias» no ha enviado checadas: avisa a quien lo cuida. Las que tenga guardadas llegan solas cuando vuelva la red.',
  },
  {
    title: 'Aprueba lo que no tiene duda',
    text: 'En «Hoy» y en «Horas», el botón «Aprobar los días sin excepción» decide de una vez los días con entrada y salida claras. Antes de guardar dice cuántos son y cuánto suman.',
    picture: ['horas', 'Horas: el botón que aprueba y la lista de días por aclarar'],
  },
  {
    title: 'Aclara los demás, uno por uno',
    text: 'Cada día de la lista dice qué le falta y trae el botón que lo arregla; los demás están en «Más». Abajo está qué hacer con cada excepción.',
  },
  {
    title: 'Agrega la checada que falta',
    text: 'Pregunta a la persona o a su jefatura, y escribe la hora y el motivo en el renglón de su día. Si tu empresa pide que la apruebe otra persona, queda por revisar; si no, se aprueba con el día.',
    picture: ['agregar', 'El formulario para agregar una checada, con su motivo'],
  },
  {
    title: 'Rechaza solo lo que no ocurrió',
    text: 'En «Más» de su día, o en «Checadas», rechaza la que está mal con un motivo, aunque esté aprobada. Nada se borra: la checada, la decisión y el motivo quedan en su historia.',
  },
  {
    title: 'Marca como revisado lo que está bien así',
    text: 'Por ejemplo, un descanso trabajado con permiso. El botón es «Revisada». Para marcar juntos varios días con la misma excepción, con una sola nota, elige la excepción arriba de la lista. Si algo cambia en un día, vuelve a la lista.',
  },
  {
    title: 'Pide la vista previa del cierre',
    text: 'En «Cierres», elige el grupo y el último día, y oprime «Ver cómo quedaría». La vista previa no guarda nada: dice a cuántas personas y cuántas horas se pagarían, y qué falta por decidir.',
    picture: ['vista-previa', 'La vista previa de un cierre, con sus avisos'],
  },
  {
    title: 'Cierra y descarga el archivo para nómina',
    text: '«Cerrar y pagar» guarda el cierre. Su archivo «Para nómina» tiene un renglón por persona; si lo lee un programa, descarga el de números sin formato. Lo que se descuenta está en su propia columna y nunca se resta de lo que se paga.',
    picture: ['cierre', 'Un cierre guardado, con sus archivos y tarjetas'],
  },
  {
    title: 'Imprime las tarjetas para firmar',
    text: 'El botón «Tarjetas» del cierre hace una página por persona, con sus días, sus horas y una línea para la firma.',
  },
  {
    title: 'Corrige después sin rehacer el cierre',
    text: 'Lo que llegue tarde se paga en el próximo cierre. Si una checada ya pagada está mal, corrígela y di por qué: el próximo cierre paga o descuenta la diferencia. «Cancelar» es solo para un cierre con el que nadie cobró.',
  },
]

/** The columns of the files of a closing and of hours, in Spanish. */
export const COLUMN_HELP: Record<string, string> = {
  employee_id: 'Número de la persona',
  rfc: 'RFC',
  full_name: 'Nombre',
  department: 'Departamento: el de ese día',
  branch_office: 'Sucursal: la de ese día',
  payroll_group: 'Grupo de nómina',
  ended_at: 'Último día de trabajo, si ya no está',
  from_day: 'Primer día de su periodo en este cierre; vacío si solo corrige días anteriores',
  week_from: 'Lunes de la semana',
  week_to: 'Domingo de la semana',
  day: 'Día',
  weekday: 'Día de la semana',
  of_period: '1 si el día es del periodo, 0 si es de antes',
  first_in: 'Primera entrada',
  last_out: 'Última salida',
  days: 'Días con jornada',
  pairs: 'Jornadas completas: una entrada con su salida',
  worked_seconds: 'Segundos trabajados',
  pending_seconds:
    'Segundos que se sumarían al aprobar lo pendiente; con signo menos, los que se quitarían',
  paid_before_seconds: 'Segundos que ya pagaron otros cierres',
  difference_seconds: 'Segundos que paga este cierre; con signo menos, los que descuenta',
  previous_closing_id: 'El cierre anterior que pagó ese día',
  period_seconds: 'Segundos del periodo',
  added_seconds: 'Segundos de días anteriores que se agregan',
  deducted_seconds: 'Segundos por descontar; no están restados de lo demás',
  total_seconds: 'Segundos por pagar: los del periodo y los que se agregan',
  week_seconds: 'Segundos de toda la semana, en todas las sucursales',
  limit_seconds: 'Segundos que la ley permite en la semana',
  over_seconds: 'Segundos sobre ese límite',
  shifts_over_12h: 'Días con más de 12 horas en total',
  open: 'Si algo de la semana está por decidir; sus cifras pueden cambiar',
  held_seconds: 'Segundos retenidos hasta que se decida algo pendiente',
  held_by: 'La checada pendiente que los retiene',
  days_with_exceptions: 'Días con excepciones',
  detail: 'Las horas de las checadas: 22:00–06:00+1 termina al día siguiente',
  exceptions: 'Excepciones',
  notices: 'Avisos',
  paid_seconds: 'Segundos ya pagados de ese día',
  closing_id: 'El último cierre que pagó ese día',
  reviewed: 'Quién revisó ese día',
  holiday: 'El descanso obligatorio de ese día, si es uno',
  sunday_seconds: 'La parte de lo trabajado, o en un cierre de lo que paga, que es de domingos',
  holiday_seconds: 'Lo mismo de descansos obligatorios; un domingo puede serlo también',
}
