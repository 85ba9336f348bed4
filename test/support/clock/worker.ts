/** The service with a moved clock. */
import './workerd.ts'

export { default } from '../../../src/index.ts'
