import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../src/core/values/bytes.ts'
import { CHECKPOINT_MAX_BYTES } from '../kept.ts'
import { linesOf, textOf } from '../lines.ts'
import { textOfReport } from '../report-text.ts'
import { UnreadableFile } from '../unreadable.ts'
import { unzipped } from '../unzip.ts'
import { type VerifyOptions, verifyEvidence } from '../verify.ts'
import { plural } from '../words.ts'
import { byId, card, element, list } from './dom.ts'
import { printButton, reportElements, UNREADABLE, unreadableElement } from './show-report.ts'

/** The time between two updates of the progress that the page shows. */
const STEP_MS = 50

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}

async function* readWithProgress(file: File, hash: { update(bytes: Uint8Array): unknown }) {
  const bar = byId<HTMLProgressElement>('bar')
  const text = byId('progress-text')
  let [read, shownAt] = [0, 0]
  for await (const chunk of chunksOf(file.stream())) {
    hash.update(chunk)
    yield chunk
    read += chunk.length
    if (performance.now() - shownAt < STEP_MS) continue
    bar.value = read / file.size
    text.textContent = `${Math.floor((read / file.size) * 100)} %`
    await nextTask()
    shownAt = performance.now()
  }
}

const filesOf = (id: string): File[] => [...(byId<HTMLInputElement>(id).files ?? [])]

const openFiles = (id: string) =>
  filesOf(id).map((file) => ({
    name: file.name,
    lines: linesOf(textOf(unzipped(chunksOf(file.stream()), file.size))),
  }))

/** Reads what the user entered in section 2 of the page. */
const readOptions = async (): Promise<VerifyOptions> => {
  const keys = byId<HTMLInputElement>('key')
    .value.split(/\s+/)
    .filter((key) => key !== '')
  const checkpoints = await Promise.all(
    filesOf('checkpoints').map(async (file) => ({
      name: file.name,
      text: file.size > CHECKPOINT_MAX_BYTES ? '' : await file.text(),
    })),
  )
  return { keys, checkpoints, closings: openFiles('closings') }
}

/** Verifies a file. Returns its verdict, and what the page shows of it. */
const verifyFile = async (file: File): Promise<{ title: string; elements: HTMLElement[] }> => {
  const hash = sha256.create()
  try {
    const lines = linesOf(textOf(unzipped(readWithProgress(file, hash), file.size)))
    const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
    const verified = await verifyEvidence(lines, await readOptions())
    const report = textOfReport(verified, zone === 'UTC' ? {} : { zone })
    const named = { name: file.name, sha256: toHex(hash.digest()) }
    return { title: report.title, elements: reportElements(report, named) }
  } catch (error) {
    const isUnreadable = error instanceof UnreadableFile
    const message = isUnreadable ? error.message : 'El archivo está dañado o no se puede abrir.'
    return { title: UNREADABLE, elements: [unreadableElement(message)] }
  }
}

let chosen: readonly File[] = []
/** The number of the newest run. Only that run shows its result. */
let run = 0

const verify = async (): Promise<void> => {
  const files = chosen
  if (files.length === 0) return
  const ownRun = ++run
  const [progress, result] = [byId('progress'), byId('result')]
  byId('file-name').textContent = files.map(({ name }) => name).join(', ')
  result.hidden = true
  progress.hidden = false
  const verified = []
  for (const file of files) {
    verified.push({ name: file.name, ...(await verifyFile(file)) })
    if (ownRun !== run) return
  }
  const isOne = verified.length === 1
  const verdicts = verified.map(({ name, title }) => `${name}: ${title}`)
  progress.hidden = true
  result.replaceChildren(
    ...(isOne ? [] : [card('', plural(verified.length, 'archivo'), list('', verdicts))]),
    ...verified.flatMap(({ name, elements }) =>
      isOne ? elements : [element('h2', 'file', name), ...elements],
    ),
    printButton(),
  )
  result.hidden = false
  result.focus({ preventScroll: true })
  result.scrollIntoView({ block: 'start' })
}

const choose = (files: readonly File[]): void => {
  if (files.length > 0) chosen = files
  void verify()
}

const drop = byId('drop')
byId('file').addEventListener('change', () => choose(filesOf('file')))
for (const id of ['key', 'checkpoints', 'closings']) {
  byId(id).addEventListener('change', () => void verify())
}

/** Whether the browser itself puts what is dropped into an input of section 2. */
const isForOtherInput = ({ target, dataTransfer }: DragEvent): boolean =>
  target instanceof HTMLInputElement &&
  target.id !== 'file' &&
  dataTransfer?.types.includes('Files') === (target.type === 'file')

for (const type of ['dragover', 'dragleave', 'drop'] as const) {
  document.addEventListener(type, (event) => {
    const isForDrop = !isForOtherInput(event)
    if (isForDrop) event.preventDefault()
    drop.classList.toggle('over', type === 'dragover' && isForDrop)
    if (type === 'drop' && isForDrop) choose([...(event.dataTransfer?.files ?? [])])
  })
}
