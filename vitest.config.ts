import { resolve } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// The tests need no .dev.vars: they bring a secret of their own.
process.env.TOKEN_SECRET = 'only-the-tests-sign-with-this-secret'

const workerd = cloudflareTest(async () => ({
  wrangler: { configPath: './wrangler.toml' },
  miniflare: {
    compatibilityFlags: ['nodejs_compat'],
    bindings: { MIGRATIONS: await readD1Migrations('drizzle') },
  },
}))

const inWorkerd = {
  setupFiles: ['test/support/setup.ts'],
  isolate: false,
  // Two cores may be busy with the service's own tests meanwhile.
  testTimeout: 30_000,
}

export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        plugins: [workerd],
        test: {
          ...inWorkerd,
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['test/service/**', 'test/browser/**', 'test/baseline.test.ts'],
        },
      },
      {
        // The contract's tests of the endpoints that the bench measures, on what it measures against.
        plugins: [workerd],
        resolve: {
          alias: [{ find: /^.*\/src\/index\.ts$/, replacement: resolve('bench/baseline.ts') }],
        },
        test: {
          ...inWorkerd,
          name: 'floor',
          include: ['baseline', 'clients', 'log-status', 'me', 'token'].map(
            (name) => `test/${name}.test.ts`,
          ),
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
