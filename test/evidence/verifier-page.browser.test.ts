import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { saveScreenshot, useBrowser } from '../support/browser.ts'
import {
  fileText,
  personFile,
  SOME_LEAVES,
  VERIFIER_KEY,
  wholeFile,
} from '../support/evidence-files.ts'
import { makeEvidence, TITLES } from '../support/made-evidence.ts'
import { runScript, useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const service = useService()
const newContext = useBrowser()
const { write } = useTemporaryFolder()

const FROM_DISK = pathToFileURL(resolve('public/verificar.html')).href

/** Opens the page and records its requests and errors. A page from disk has no network. */
const openPage = async (address: string, width = 1280, height = 900) => {
  const context = await newContext({ viewport: { width, height } })
  if (address === FROM_DISK) await context.setOffline(true)
  const page = await context.newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(address)
  return { page, requests, errors, close: () => context.close() }
}

const verdictOf = async (page: Page): Promise<string> => {
  const verdict = page.locator('#result .verdict h2')
  await verdict.waitFor()
  return (await verdict.textContent()) ?? ''
}

/** Writes files to verify and to compare. `altered` is the honest file with a changed decision. */
const someFiles = async () => {
  const admin = await signInToService(service)
  await admin.decide(1, 'approved', 'Llegó puntual.')
  await admin.decide(2, 'rejected', 'Checada repetida.')
  const kept = write('sello.txt', await admin.checkpoint())
  await admin.decide(1, 'pending')
  const text = await admin.evidence()
  const lines = await admin.get('/v2/incidents/closings/1/lines?format=ndjson')
  return {
    kept,
    honest: write('evidencia.ndjson', text),
    zipped: write('evidencia.ndjson.gz', gzipSync(text)),
    altered: write(
      'alterada.ndjson',
      text.replace(/(\\"log_id\\":2,[^}]*\\"to\\":\\")rejected/, '$1approved'),
    ),
    closing: write('corte.ndjson', lines),
    later: write('posterior.ndjson', lines.replaceAll('"day":"20', '"day":"21')),
    other: write('otro.txt', 'Esto no es evidencia.\n'),
    partial: write('parcial.ndjson', fileText(await personFile(SOME_LEAVES, [3, 2]))),
    unsealed: write('sin-sellos.ndjson', fileText(await wholeFile(SOME_LEAVES, []))),
  }
}

describe.each([
  ['a phone', 390, 844],
  ['a laptop', 1280, 900],
])('on %s, from disk and without a network', (device, width, height) => {
  it('shows what is sound, what is not, and what cannot be known', async () => {
    const files = await someFiles()
    const { page, requests, errors, close } = await openPage(FROM_DISK, width, height)
    const name = device.replace('a ', '')
    await saveScreenshot(page, `verifier-${name}-empty`)

    await page.setInputFiles('#file', files.honest)
    expect(await verdictOf(page)).toBe('Íntegro')
    const text = await page.locator('#result').textContent()
    expect(text).toContain('Falta compararlo con algo guardado fuera de la empresa')
    expect(text).toContain('No se indicó ningún sello guardado.')
    await saveScreenshot(page, `verifier-${name}-sound`)

    await page.setInputFiles('#checkpoints', files.kept)
    await page.getByText('Coincide con el sello guardado de').waitFor()
    await page.getByLabel('Renglones de un cierre (.ndjson)').setInputFiles(files.closing)
    await page.getByText('Los renglones de corte.ndjson son los que selló el cierre 1.').waitFor()
    await saveScreenshot(page, `verifier-${name}-anchored`)
    await page.setInputFiles('#closings', [files.closing, files.later])
    await page.getByText('posterior.ndjson: sus renglones no son los que selló').waitFor()
    expect(await verdictOf(page)).toBe('Íntegro; no todo se pudo comparar')
    expect(await page.locator('#result .verdict').getAttribute('class')).toContain('warn')
    await saveScreenshot(page, `verifier-${name}-uncompared`)
    await page.setInputFiles('#closings', [])

    await page.setInputFiles('#file', files.altered)
    await page.getByText('Con fallas').waitFor()
    const faults = await page.locator('#result').textContent()
    expect(faults).toMatch(/\(checada 2\): no es como se selló/)
    await saveScreenshot(page, `verifier-${name}-altered`)

    for (const [file, verdict] of [
      [files.partial, 'Íntegro hasta el sello 2; 5 eventos sin sellar'],
      [files.unsealed, 'Sin sellos: nada de esto está probado'],
    ] as const) {
      await page.setInputFiles('#checkpoints', [])
      await page.setInputFiles('#file', file)
      await page.getByText(verdict).waitFor()
      await saveScreenshot(page, `verifier-${name}-${basename(file, '.ndjson')}`)
      // The page shows the same text as the command.
      const { out, status } = await runScript('cli/evidence/audit.ts', ['verify', file])
      expect(status).toBe(3)
      for (const item of await page.locator('#result .verdict, #result li').allInnerTexts()) {
        for (const line of item.split(/\n+/)) expect(out).toContain(line)
      }
    }

    await page.setInputFiles('#file', files.other)
    await page.getByText('No se puede leer').waitFor()
    await page.setInputFiles('#file', files.zipped)
    await page.getByText('Íntegro', { exact: true }).waitFor()

    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(requests).toEqual([FROM_DISK])
    expect(errors).toEqual([])
    await close()
  })
})

it('verifies several files, and says first what it found of each', async () => {
  const files = await someFiles()
  const { page, close } = await openPage(FROM_DISK)
  await page.setInputFiles('#file', [files.honest, files.altered, files.other])
  await page.getByRole('heading', { name: '3 archivos' }).waitFor()
  const names = ['evidencia.ndjson', 'alterada.ndjson', 'otro.txt']
  const verdicts = ['Íntegro', 'Con fallas', 'No se puede leer']
  const list = page.locator('#result .card').first().getByRole('listitem')
  expect(await list.allInnerTexts()).toEqual(names.map((name, i) => `${name}: ${verdicts[i]}`))
  expect(await page.locator('#result .verdict h2').allInnerTexts()).toEqual(verdicts)
  await saveScreenshot(page, 'verifier-several')
  await close()
})

it('gives 300 files the verdicts that the command gives them', async () => {
  const files = makeEvidence(71)
  const { page, errors, close } = await openPage(FROM_DISK)
  await page.fill('#key', VERIFIER_KEY)
  const paths = files.map(({ bytes }, i) => write(`${i}.ndjson`, bytes))
  await page.setInputFiles('#file', paths)
  await page.getByRole('heading', { name: `${files.length} archivos` }).waitFor()
  const items = page.locator('#result .card').first().getByRole('listitem')
  const texts = await items.allInnerTexts()
  for (const [i, { kind, expected }] of files.entries()) {
    const title = texts[i]?.replace(`${i}.ndjson: `, '')
    expect(title, `file ${i}, ${kind}`).toMatch(TITLES[expected])
  }
  expect(errors).toEqual([])
  await close()
})

it('takes a kept seal with a byte order mark, and no gzip that grows without end', async () => {
  const { honest, kept, other } = await someFiles()
  const { page, close } = await openPage(FROM_DISK)
  const marked = write('con-marca.txt', `\ufeff${readFileSync(kept, 'utf8')}`)
  const damaged = write('rota.txt', readFileSync(kept, 'utf8').slice(0, -20))
  const lines = gzipSync(Buffer.alloc(200_000_000, 'a\n'))
  await page.setInputFiles('#checkpoints', marked)
  await page.setInputFiles('#file', honest)
  await page.getByText('Coincide con el sello guardado de').waitFor()
  expect(await verdictOf(page)).toBe('Íntegro')
  await page.setInputFiles('#checkpoints', damaged)
  await page.getByText('El sello guardado rota.txt está dañado').waitFor()
  await page.setInputFiles('#checkpoints', other)
  await page.getByText('otro.txt no es un sello.').waitFor()
  await page.setInputFiles('#checkpoints', [])
  const bomb = gzipSync(Buffer.alloc(20_000_000, 'a'))
  await page.setInputFiles('#file', write('linea.gz', bomb))
  await page.getByText('El archivo tiene una línea demasiado larga').waitFor()
  await page.setInputFiles('#file', honest)
  await page.setInputFiles('#closings', write('crece.gz', lines))
  await page.getByText('No se puede leer').waitFor()
  await close()
})

it('takes what is dropped on an input as that input, and anything else as the evidence', async () => {
  const files = await someFiles()
  const { page, close } = await openPage(FROM_DISK)
  const session = await page.context().newCDPSession(page)
  const drop = async (selector: string, dropped: { files: string[] } | { text: string }) => {
    const target = page.locator(selector)
    await target.scrollIntoViewIfNeeded()
    const box = (await target.boundingBox()) ?? expect.unreachable(selector)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const text = 'text' in dropped ? [{ mimeType: 'text/plain', data: dropped.text }] : []
    const data = { items: text, dragOperationsMask: 1, ...('files' in dropped && dropped) }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, x, y, data })
    }
  }

  await drop('h1', { files: [files.honest] })
  expect(await verdictOf(page)).toBe('Íntegro')
  await drop('#closings', { files: [files.closing] })
  await page.getByText('Los renglones de corte.ndjson son').waitFor()
  await drop('#checkpoints', { files: [files.kept] })
  await page.getByText('Coincide con el sello guardado de').waitFor()
  await drop('#key', { text: VERIFIER_KEY })
  await expect.poll(() => page.inputValue('#key')).toBe(VERIFIER_KEY)
  expect(await page.textContent('#file-name')).toBe(basename(files.honest))
  await drop('#key', { files: [files.other] })
  await page.getByText('No se puede leer').waitFor()
  await close()
})

it('is served under its own policy, and requests nothing else', async () => {
  const { origin } = new URL(service.api)
  const files = await someFiles()
  const { page, requests, errors, close } = await openPage(`${origin}/verificar`)
  await page.setInputFiles('#file', files.honest)
  expect(await verdictOf(page)).toBe('Íntegro')
  expect(requests.map((url) => new URL(url).pathname)).toEqual(['/verificar'])
  // The policy allows no image, and no other network request.
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('img'), { src: '/x.png' }))",
  )
  await expect.poll(() => errors.join()).toContain('Content Security Policy')
  const { headers } = await fetch(`${origin}/verificar`)
  expect(headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';.*frame-ancestors 'none'$/,
  )
  await close()
})

it('shows its progress while it verifies a large file', async () => {
  const { page, close } = await openPage(FROM_DISK)
  const files = await someFiles()
  // Slow reading makes the progress visible. The page collects what it shows of it.
  await page.evaluate(`(() => {
    const text = document.querySelector('#progress-text')
    window.percents = []
    new MutationObserver(() => percents.push(parseInt(text.textContent))).observe(text, {
      childList: true,
    })
    const stream = File.prototype.stream
    File.prototype.stream = function () {
      return stream.call(this).pipeThrough(new TransformStream({
        async transform(chunk, controller) {
          for (let i = 0; i < chunk.length; i += 1000) {
            await new Promise((resolve) => setTimeout(resolve, 60))
            controller.enqueue(chunk.slice(i, i + 1000))
          }
        },
      }))
    }
  })()`)
  await page.setInputFiles('#file', files.honest)
  expect(await verdictOf(page)).toBe('Íntegro')
  const percents = (await page.evaluate('percents')) as number[]
  expect(percents.filter((percent) => percent > 20 && percent < 100)).not.toEqual([])
  await close()
})
