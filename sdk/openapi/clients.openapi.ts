import * as z from 'zod'
import { ConfigPath, EntryCodeBody } from '../../src/clients/clients.schemas.ts'
import {
  ContractInvalidInput,
  component,
  idField,
  operations,
  pathParameters,
} from './operations.ts'

const Module = component('Module', {
  id: idField,
  name: z.string(),
  description: z.string(),
  icon: z.string().meta({ description: 'Clase del icono.' }),
  enabled: z.boolean(),
  enabled_app: z.literal(true),
})

const ActiveClient = component('ActiveClient', {
  id: idField,
  code: z.string(),
  name: z.string(),
  status: z
    .string()
    .meta({ description: 'Tal como está guardado: "activo", en mayúsculas o minúsculas.' }),
  url_base: z.string().meta({
    description: 'El origen al que la app hace todas las llamadas que siguen, sin `/api`.',
  }),
})

const BareInvalidInput = ContractInvalidInput.pick({ message: true, errors: true }).meta({
  id: 'BareInvalidInput',
  description: 'Mensaje y errores, sin `success` ni `data`.',
})

const ConfigEntry = component('ConfigEntry', {
  key: z.string(),
  tipo: z.string().meta({ description: 'Qué es, como "archivo"; lo dice la instalación.' }),
  nombre: z.string().meta({ description: 'Para mostrarlo.' }),
  valor: z
    .string()
    .meta({ description: 'El texto guardado; la ruta de un archivo es relativa a `/files/`.' }),
})

export const clientOperations = operations('clients', {
  'GET /v2/clients/modules_enabled': {
    id: 'modulesEnabled',
    caller: 'anyone',
    summary: 'Listar los módulos habilitados para la app',
    description: 'Los que tienen `enabled_app`, también si su `enabled` es false.',
    data: z.array(Module).min(1),
    errors: ['NO_MODULES'],
  },
  'POST /v2/clients/validate-code': {
    id: 'validateCode',
    caller: 'anyone',
    summary: 'Validar el código de entrada de un cliente',
    description: 'El código se compara byte a byte.',
    body: ['EntryCodeBody', EntryCodeBody],
    data: ActiveClient,
    errors: ['CLIENT_INACTIVE', 'CLIENT_NOT_FOUND'],
    bodies: { 422: BareInvalidInput },
    limited: true,
  },
  'GET /v2/clients/config/{config}': {
    id: 'config',
    caller: 'anyone',
    summary: 'Consultar una entrada de configuración',
    parameters: pathParameters(ConfigPath, {
      config: 'El nombre de la configuración, byte a byte.',
    }),
    data: ConfigEntry,
    errors: ['CONFIG_NOT_FOUND'],
  },
})
