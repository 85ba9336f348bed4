import * as z from 'zod'
import {
  bodyComponent,
  component,
  failureResponse,
  InvalidInput,
  idField,
  invalidResponse,
  operation,
  pathParameters,
  response,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { ConfigPath, EntryCodeBody } from './clients.schemas.ts'

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

const BareInvalidInput = InvalidInput.pick({ message: true, errors: true }).meta({
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

export const clientPaths = {
  '/v2/clients/modules_enabled': {
    get: operation({
      operationId: 'modulesEnabled',
      tags: ['clients'],
      summary: 'Listar los módulos habilitados para la app',
      responses: {
        '200': successResponse(
          'Los módulos, nunca una lista vacía.',
          z.array(Module).min(1),
          'Módulos habilitados.',
          [
            {
              id: 1,
              name: 'Checador',
              description: 'Registro de entradas y salidas',
              icon: 'fa-solid fa-clock',
              enabled: true,
              enabled_app: true,
            },
          ],
        ),
        '404': failureResponse('No hay ninguno.', 'NO_MODULES'),
      },
    }),
  },
  '/v2/clients/validate-code': {
    post: operation({
      operationId: 'validateCode',
      tags: ['clients'],
      summary: 'Validar el código de entrada de un cliente',
      description: 'El código se compara byte a byte.',
      requestBody: bodyComponent('EntryCodeBody', EntryCodeBody, { code: 'DEMO-2026' }),
      responses: {
        '200': successResponse(
          'El cliente existe y está activo.',
          ActiveClient,
          'El código es válido.',
          {
            id: 1,
            code: 'DEMO-2026',
            name: 'Comercial Demo',
            status: 'activo',
            url_base: 'https://demo.example.com',
          },
        ),
        '403': failureResponse('Inactivo o bloqueado.', 'CLIENT_INACTIVE'),
        '404': failureResponse('No existe.', 'CLIENT_NOT_FOUND'),
        '422': response(
          'Falta el código; el cuerpo no lleva `success` ni `data`.',
          BareInvalidInput,
          {
            message: 'El código es obligatorio.',
            errors: { code: ['El código es obligatorio.'] },
          },
        ),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/clients/config/{config}': {
    get: operation({
      operationId: 'config',
      tags: ['clients'],
      summary: 'Consultar una entrada de configuración',
      parameters: pathParameters(ConfigPath, {
        config: { description: 'El nombre de la configuración, byte a byte.' },
      }),
      responses: {
        '200': successResponse('La entrada.', ConfigEntry, 'Configuración encontrada.', {
          key: 'logo',
          tipo: 'archivo',
          nombre: 'Logotipo',
          valor: 'config/logo.png',
        }),
        '404': failureResponse('No existe.', 'CONFIG_NOT_FOUND'),
        '422': invalidResponse({
          config: ['El nombre de la configuración contiene caracteres no válidos.'],
        }),
      },
    }),
  },
}
