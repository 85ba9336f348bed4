/**
 * Writes the verifier as one file, `public/verificar.html`. Also writes its content security
 * policy, with the hashes of its script and style, to `public/_headers`. With `--check`, writes
 * nothing and fails if one of the stored files is different.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { writeOrCheck } from './generated-files.ts'

const PAGE_FOLDER = 'sdk/evidence/page'
const HEADERS_FILE = 'public/_headers'

/** Replaces the hash functions of node:crypto, which browsers do not have. */
const browserSha256: Plugin = {
  name: 'browser-sha256',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/sha256\.ts$/ }, () => ({ path: resolve(PAGE_FOLDER, 'sha256.ts') }))
  },
}

const bundled = async (entry: string, plugins: Plugin[] = []): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [`${PAGE_FOLDER}/${entry}`],
    bundle: true,
    // Names are not shortened, since any new export could change the shortened names.
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    target: 'es2022',
    format: 'iife',
    write: false,
    plugins,
  })
  // `</script>` within a script would end its HTML element.
  return (outputFiles[0]?.text ?? '').trim().replaceAll('</', '<\\/')
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const script = await bundled('page.ts', [browserSha256])
const style = await bundled('page.css')
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const parts: Record<string, string> = { policy, style, script }
const page = readFileSync(`${PAGE_FOLDER}/page.html`, 'utf8').replace(
  /\{\{(\w+)\}\}/g,
  (_, name: string) => parts[name] ?? '',
)
const headers = readFileSync(HEADERS_FILE, 'utf8').replace(
  /(\/verificar\*\n {2}Content-Security-Policy: ).*/,
  // Browsers accept frame-ancestors only in a header, not in the page itself.
  (_, start: string) => `${start}${policy}; frame-ancestors 'none'`,
)

const files = { 'public/verificar.html': page, [HEADERS_FILE]: headers }
writeOrCheck(files, `${PAGE_FOLDER} and its imports of src/`, 'npm run build:verifier')
