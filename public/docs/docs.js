/* global SwaggerUIBundle */

// Swagger UI has no translations: its labels, in Spanish.
const SPANISH = {
  Authorize: 'Autorizar',
  Logout: 'Quitar',
  Close: 'Cerrar',
  'Available authorizations': 'Autorizaciones',
  'Try it out': 'Probar',
  Cancel: 'Cancelar',
  Execute: 'Ejecutar',
  Clear: 'Limpiar',
  Reset: 'Restablecer',
  Parameters: 'Parámetros',
  'No parameters': 'Sin parámetros',
  'Request body': 'Cuerpo de la petición',
  required: 'obligatorio',
  Responses: 'Respuestas',
  Response: 'Respuesta',
  'Server response': 'Respuesta del servidor',
  'Response body': 'Cuerpo de la respuesta',
  'Response headers': 'Encabezados de la respuesta',
  'Request URL': 'URL de la petición',
  'Example Value': 'Ejemplo',
  'Edit Value': 'Editar',
  Schema: 'Esquema',
  Schemas: 'Esquemas',
  Headers: 'Encabezados',
  Code: 'Código',
  Details: 'Detalles',
  Description: 'Descripción',
  Links: 'Enlaces',
  'No links': 'Sin enlaces',
  Name: 'Nombre',
  Type: 'Tipo',
  Servers: 'Servidores',
  Download: 'Descargar',
  'Media type': 'Tipo de contenido',
  'Controls Accept header.': 'Determina el encabezado Accept.',
}

/** Translates the labels below a node. Spanish text has no entry, so it stays as it is. */
const translate = (root) => {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    const spanish = SPANISH[text.data.trim()]
    if (spanish && !text.parentElement?.closest('pre, code')) {
      text.data = text.data.replace(text.data.trim(), spanish)
    }
  }
}

const reference = document.getElementById('reference')

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) translate(node)
}).observe(reference, { childList: true, subtree: true })

const ui = SwaggerUIBundle({
  domNode: reference,
  url: '/openapi.json',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // After a login or a password change, every operation of the page sends the new token.
  responseInterceptor: (response) => {
    const token = response.ok && response.url.includes('/api/auth/') && response.obj?.data?.token
    if (token) ui.preauthorizeApiKey('bearer', token)
    return response
  },
})
