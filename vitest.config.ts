import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// The tests need no .dev.vars: they bring a secret of their own.
process.env.TOKEN_SECRET = 'only-the-tests-sign-with-this-secret'

export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              compatibilityFlags: ['nodejs_compat'],
              bindings: { MIGRATIONS: await readD1Migrations('drizzle') },
            },
          })),
        ],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['test/service/**', 'test/browser/**'],
          setupFiles: ['test/world/setup.ts'],
          isolate: false,
          // Two cores may be busy with the service's own tests meanwhile.
          testTimeout: 30_000,
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
