import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { CodesReporter } from './test/support/codes-reporter.ts'
import { StallReporter } from './test/support/stall-reporter.ts'

// The tests have secrets of their own, and so need no .dev.vars.
process.env.TOKEN_SECRET = 'only-the-tests-sign-with-this-secret'
/** The example key in the documentation of golang.org/x/mod/sumdb/note. */
const SEAL_KEY = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz'
process.env.SEAL_KEY = SEAL_KEY
// Only some tests send messages to phones.
process.env.VAPID_KEY = ''

/**
 * The moment at which each run of the tests begins, or up to a minute later: a Wednesday morning.
 * TEST_NOW sets another one, as .ci/run does: no test may depend on the day, and TZ may be any zone.
 */
const NOW = process.env.TEST_NOW ?? '2026-11-25T10:40:00-06:00'
/** In whole minutes, since rate limits count by the minute of the clock that is not moved. */
const CLOCK_SHIFT_MS = String(Math.ceil((Date.parse(NOW) - Date.now()) / 60_000) * 60_000)
process.env.CLOCK_SHIFT_MS = CLOCK_SHIFT_MS

/** A folder that Linux keeps in memory. It is faster, since D1 waits for the disk at each write. */
const IN_MEMORY = '/dev/shm'
/** The free bytes that the folder must have. The databases of a million rows need 2 GB. */
const BYTES_MIN = 8e9

if (existsSync(IN_MEMORY)) {
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  if (bavail * bsize > BYTES_MIN) process.env.TMPDIR ??= IN_MEMORY
}

// The tests start hundreds of Node processes: what one has compiled, the others need not.
const compiled = mkdtempSync(join(tmpdir(), 'checada-compiled-'))
process.env.NODE_COMPILE_CACHE = compiled
process.on('exit', () => rmSync(compiled, { recursive: true, force: true }))

const workerd = cloudflareTest(async () => ({
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    compatibilityFlags: ['nodejs_compat'],
    bindings: {
      MIGRATIONS: await readD1Migrations('drizzle'),
      // `npm run release` sets RELEASE. A test then writes a filled database of that version.
      RELEASE: process.env.RELEASE ?? '',
      RELEASED: globSync('test/released-databases/*.json').map((file) => ({
        version: basename(file, '.json'),
        ...JSON.parse(readFileSync(file, 'utf8')),
      })),
      // Some endpoints are off without these settings, but some tests call every endpoint.
      INTAKE_ROLES: 'admin',
      EMPLOYEE_CLOCK_IN: 'true',
      EMPLOYEE_REQUESTS: 'true',
      // A .dev.vars of an earlier version has no SEAL_KEY.
      SEAL_KEY,
      VAPID_KEY: '',
    },
  },
}))

const inWorkerd = {
  setupFiles: ['test/support/setup.ts'],
  isolate: false,
  // On a busy computer, a test may take minutes. The StallReporter ends a run without progress.
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    silent: 'passed-only',
    reporters: ['default', new StallReporter(), new CodesReporter()],
    projects: [
      {
        plugins: [workerd],
        define: { CLOCK_SHIFT_MS },
        test: {
          ...inWorkerd,
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['**/*.{service,slow,slow-service,browser}.test.ts'],
        },
      },
      {
        plugins: [workerd],
        define: { CLOCK_SHIFT_MS },
        test: {
          ...inWorkerd,
          name: 'slow',
          include: ['test/**/*.slow.test.ts'],
          testTimeout: 600_000,
        },
      },
      {
        // Runs the tests of the baseline's endpoints, with the baseline in place of the service.
        plugins: [workerd],
        define: { CLOCK_SHIFT_MS },
        resolve: {
          alias: [{ find: /^.*\/src\/index\.ts$/, replacement: resolve('bench/baseline.ts') }],
        },
        test: {
          ...inWorkerd,
          name: 'baseline',
          include: ['clients/clients', 'logs/log-status', 'people/me', 'people/token'].map(
            (name) => `test/${name}.test.ts`,
          ),
        },
      },
      ...['service', 'slow-service', 'browser'].map((name) => ({
        test: {
          name,
          include: [`test/**/*.${name}.test.ts`],
          setupFiles: ['test/support/clock/node.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 180_000 } },
        },
      })),
    ],
  },
})
