import { loadApp } from '../../src/app.ts'

/** The app with all routes. A Worker loads only those that its requests need. */
export const app = await loadApp()
