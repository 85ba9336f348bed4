/**
 * Builds the Worker that is deployed, into dist/worker. Wrangler would put it into one file, where
 * each module that `import()` reaches stands in a function of its own: 10 KB more, and parsed twice.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Returns the files of the Worker, the main one first, and the paths of all their sources. */
export const buildWorker = async (dir = join('dist', 'worker')) => {
  const sources: string[] = []
  const bundle = await rolldown({
    input: join('src', 'index.ts'),
    external: /^(node|cloudflare):/,
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser'] },
    plugins: [{ name: 'sources', moduleParsed: ({ id }) => void sources.push(id) }],
  })
  rmSync(dir, { recursive: true, force: true })
  let count = 0
  const { output } = await bundle.write({
    dir,
    minify: true,
    sourcemap: true,
    comments: false,
    // Short, as other files import them by these names. Source maps have those of the sources.
    chunkFileNames: () => `${count++}.js`,
  })
  const files = output
    .filter((file) => file.type === 'chunk')
    .sort((a, b) => Number(b.isEntry) - Number(a.isEntry))
    .map(({ fileName, code }) => ({ name: fileName, code }))
  return { files, sources }
}

if (import.meta.main) await buildWorker()
