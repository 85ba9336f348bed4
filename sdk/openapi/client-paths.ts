import { ConfigPath, EntryCodeBody } from '../../src/schemas/core/clients.ts'
import { body, done, failed, invalid, operation, response, shared } from './parts.ts'
import * as schemas from './schemas.ts'

export const clientPaths = {
  '/v2/clients/modules_enabled': {
    get: operation({
      operationId: 'modulesEnabled',
      tags: ['clients'],
      summary: 'Listar los módulos habilitados para la app',
      responses: {
        '200': done(
          'Los módulos, nunca una lista vacía.',
          schemas.Modules,
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
        '404': failed('No hay ninguno.', 'NO_MODULES'),
      },
    }),
  },
  '/v2/clients/validate-code': {
    post: operation({
      operationId: 'validateCode',
      tags: ['clients'],
      summary: 'Validar el código de entrada de un cliente',
      description: 'El código se compara byte a byte.',
      requestBody: body(EntryCodeBody, { code: 'DEMO-2026' }),
      responses: {
        '200': done('El cliente existe y está activo.', schemas.Client, 'El código es válido.', {
          id: 1,
          code: 'DEMO-2026',
          name: 'Comercial Demo',
          status: 'activo',
          url_base: 'https://demo.example.com',
        }),
        '403': failed('Inactivo o bloqueado.', 'CLIENT_INACTIVE'),
        '404': failed('No existe.', 'CLIENT_NOT_FOUND'),
        '422': response(
          'Falta el código; el cuerpo no lleva `success` ni `data`.',
          schemas.BareInvalidInput,
          {
            message: 'El código es obligatorio.',
            errors: { code: ['El código es obligatorio.'] },
          },
        ),
        '429': shared('TooManyRequests'),
      },
    }),
  },
  '/v2/clients/config/{config}': {
    get: operation({
      operationId: 'config',
      tags: ['clients'],
      summary: 'Consultar una entrada de configuración',
      requestParams: { path: ConfigPath },
      responses: {
        '200': done('La entrada.', schemas.ConfigEntry, 'Configuración encontrada.', {
          key: 'logo',
          tipo: 'archivo',
          nombre: 'Logotipo',
          valor: 'config/logo.png',
        }),
        '404': failed('No existe.', 'CONFIG_NOT_FOUND'),
        '422': invalid({
          config: ['El nombre de la configuración contiene caracteres no válidos.'],
        }),
      },
    }),
  },
}
