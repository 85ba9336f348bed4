import { render } from 'hono/jsx/dom'

const root = document.getElementById('console')
if (root) render(<h1>Checada</h1>, root)
