/**
 * Days, so that generators make dates of them, and of two formats no usable type. An instant is
 * accepted too, by clients that send text.
 */
const DAY = { type: 'string', format: 'date' }

const ID = { type: 'integer', minimum: 1 }

/** What each parameter means, and its type where a URL's text stands for another one. */
const PARAMETERS: Record<string, { description: string; schema?: object }> = {
  config: { description: 'El nombre de la configuración, byte a byte.' },
  log_id: { description: 'El identificador de la checada.' },
  status: { description: 'Solo las checadas con este estado.' },
  kind: { description: 'Solo las checadas de este tipo.' },
  employee_id: { description: 'Solo las checadas de este empleado.' },
  department: { description: 'Solo las checadas de este departamento.' },
  branch_office: { description: 'Solo las checadas de esta sucursal.' },
  from: {
    description:
      'Desde este día, en la zona horaria del servicio, o desde este instante ISO 8601 con zona.',
    schema: DAY,
  },
  to: {
    description:
      'Hasta este día, incluido, en la zona horaria del servicio, o hasta este instante ISO 8601 con zona.',
    schema: DAY,
  },
  order: { description: 'Primero lo más antiguo (oldest) o lo más reciente (newest).' },
  limit: {
    description: 'Cuántos elementos lleva una página, como máximo.',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
  },
  after: {
    description: 'El `next_after` de la última lectura; 0 desde el principio.',
    schema: { type: 'integer', minimum: 0 },
  },
  event: { description: 'Solo los eventos de este tipo.' },
  nearby: {
    description: 'Con `true`, cada checada trae las otras de esa persona alrededor de su hora.',
    schema: { type: 'boolean' },
  },
  q: { description: 'Partes del nombre o del identificador, separadas por espacios.' },
  cursor: { description: 'El `next_cursor` de la página anterior.' },
  payroll_group: { description: 'Solo este grupo de nómina; vacío, los que no tienen grupo.' },
  by: { description: 'Un renglón por empleado, en vez de uno por empleado y día.' },
  preview: {
    description: 'Si las checadas pendientes cuentan como aprobadas.',
    schema: { type: 'boolean' },
  },
  closing: { description: 'Un cierre: las cifras como estaban entonces.', schema: ID },
  since: { description: 'El cierre desde el que se buscan cambios.', schema: ID },
  until: { description: 'El cierre hasta el que se buscan; sin él, hasta ahora.', schema: ID },
  comments: {
    description: 'Si el archivo lleva los textos de los comentarios (true o false).',
  },
  format: { description: 'El formato del archivo.' },
}

/** The largest `limit` of an operation, where it is not the common one. */
const LIMITS: Record<string, number> = { listChanges: 500, listClosings: 500 }

/** Describes the parameters of an operation. */
export const describeParameters = (operationId: string, parameters: readonly object[]): void => {
  for (const parameter of parameters) {
    const { name } = parameter as { name: string }
    const known = PARAMETERS[name]
    if (!known) throw new Error(`PARAMETERS lacks ${name}.`)
    Object.assign(parameter, known)
    const maximum = LIMITS[operationId]
    if (name === 'limit' && maximum) {
      Object.assign(parameter, { schema: { ...known.schema, maximum } })
    }
  }
}
