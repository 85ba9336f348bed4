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
  'Available values': 'Valores',
  'Default value': 'Por omisión',
  Curl: 'curl',
  Loading: 'Cargando',
  Undocumented: 'Sin documentar',
  'Request duration': 'Duración',
  'Send empty value': 'Enviar vacío',
  'Copy to clipboard': 'Copiar',
  'Failed to fetch.': 'No hubo respuesta.',
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

// Swagger UI follows this class; the page follows the system.
const dark = matchMedia('(prefers-color-scheme: dark)')
const setScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', setScheme)
setScheme()

/** Makes tags and operations headings, so that a screen reader can jump from one to the next. */
const addHeadings = (root) => {
  for (const [selector, level] of [
    ['.opblock-tag', 2],
    ['.opblock-summary-description', 3],
  ]) {
    for (const element of root.querySelectorAll(selector)) {
      element.setAttribute('role', 'heading')
      element.setAttribute('aria-level', level)
    }
  }
}

/** Hides the documented errors of an operation behind a button: they fill several screens. */
const foldErrors = (root) => {
  for (const table of root.querySelectorAll('.responses-table:not(.live-responses-table)')) {
    if (table.dataset.folded || !table.querySelector('tr.response')) continue
    table.dataset.folded = 'yes'
    const count = table.querySelectorAll('tr.response:not([data-code^="2"])').length
    const button = document.createElement('button')
    button.className = 'btn errors'
    button.setAttribute('aria-expanded', 'false')
    button.textContent = `Ver las ${count} respuestas de error`
    button.addEventListener('click', () => {
      table.dataset.folded = 'no'
      button.remove()
    })
    table.after(button)
  }
}

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) translate(node)
  addHeadings(reference)
  foldErrors(reference)
}).observe(reference, { childList: true, subtree: true })

const TOKEN = 'checada-token'

const useToken = (token) => {
  sessionStorage.setItem(TOKEN, token)
  ui.preauthorizeApiKey('bearer', token)
}

const ui = SwaggerUIBundle({
  domNode: reference,
  url: '/openapi.json',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // A reload keeps the session of this tab.
  onComplete: () => {
    const token = sessionStorage.getItem(TOKEN)
    if (token) useToken(token)
  },
  // After a login or a password change, every operation of the page sends the new token.
  responseInterceptor: (response) => {
    const token = response.ok && response.url.includes('/api/auth/') && response.obj?.data?.token
    if (token) useToken(token)
    return response
  },
})
