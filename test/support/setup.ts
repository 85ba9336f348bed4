import './clock/workerd.ts'
import { beforeEach } from 'vitest'
import { resetUsedDatabase } from './database.ts'

beforeEach(resetUsedDatabase)
