import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { exitMarker, finishedLine, nextRequest } from './batch-protocol.mjs'
import { readTap } from './read-tap.mjs'

/**
 * @typedef {import('./find-test-files.mjs').TestFile} TestFile
 * @typedef {import('./read-tap.mjs').TapResult} TapResult
 * @typedef {{ testTimeout: number, exitTimeout: number, silenceTimeout: number }} Timeouts milliseconds
 * @typedef {{ root: string, timeouts: Timeouts, seed: number }} Run the seed is that of fast-check's properties
 * @typedef {{ source: string, seconds: number, cpu: number }} FileTime both in seconds; processes that a test starts are not counted
 * @typedef {TapResult & { troubles: string[], notes: string[], stderr: string, seconds: number, times: FileTime[] }} BatchResult
 */

// Applications that are made and thrown away need room: with V8's own a tenth of the time goes into collecting them.
const nodeOptions = ['--min-semi-space-size=64', '--max-semi-space-size=128', '--enable-source-maps']
const stuckNote = 'Node did not end the process after its last exit handler (nodejs/node#54918): it was killed'
const entry = fileURLToPath(new URL('batch-entry.mjs', import.meta.url))

/**
 * Runs files in one process, each when it asks for one. What kept a file from being counted (crash, silence, no test in it) is in
 * `troubles`.
 * @param {() => TestFile | undefined} take the next file; the process ends when there is none
 * @param {Run} run
 * @returns {Promise<BatchResult>}
 */
export async function runBatch(take, run) {
  const { timeouts } = run
  const begin = Date.now()
  const { parser, result } = readTap()
  const files = []
  const child = startProcess(run)
  child.on('message', (message) => {
    if (message !== nextRequest) return
    const file = take()
    if (file !== undefined) files.push(file)
    child.send(file ?? null)
  })
  const silence = killWhenSilent(child, timeouts.silenceTimeout)
  const stderr = collectText(child.stderr, silence.reset)
  const progress = collectLines(child.stdio[3], silence.reset)
  const shutdown = killWhenStuck(child, timeouts.exitTimeout)
  child.stdio[3].on('data', shutdown.read)
  child.stdout.on('data', silence.reset)
  child.stdout.pipe(parser)
  const parsed = new Promise((resolve) => parser.on('complete', resolve))
  const exit = await new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  silence.stop()
  shutdown.stop()
  await parsed
  const lines = progress().filter(({ text }) => !text.startsWith(exitMarker))
  const started = lines.map(({ text }) => text)
  const troubles = findTroubles(files, result, { ...exit, ...shutdown.end(), started, silent: silence.killed() })
  const notes = shutdown.end() === undefined ? [] : [stuckNote]
  const seconds = (Date.now() - begin) / 1000
  return { ...result, troubles, notes, stderr: stderr(), seconds, times: timesOf(lines) }
}

function startProcess({ root, timeouts, seed }) {
  const { testTimeout, exitTimeout } = timeouts
  const batch = JSON.stringify({ testTimeout, exitTimeout, seed })
  return spawn(process.execPath, [...nodeOptions, entry], {
    cwd: root,
    env: { ...process.env, MODELWIRE_TEST_BATCH: batch },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc']
  })
}

function killWhenSilent(child, timeout) {
  let killed = false
  const timer = setTimeout(() => {
    killed = true
    child.kill('SIGKILL')
  }, timeout)
  return { reset: () => timer.refresh(), stop: () => clearTimeout(timer), killed: () => killed }
}

/**
 * Node 24 sometimes waits for itself after the last exit handler (nodejs/node#54918). Nothing of the tests runs any more, so the
 * exit code that the process was about to end with counts.
 */
function killWhenStuck(child, timeout) {
  let timer, end
  const read = (text) => {
    const code = new RegExp(`${exitMarker}(\\d+)`).exec(text)?.[1]
    if (code !== undefined) timer = setTimeout(kill, timeout, Number(code))
  }
  const kill = (code) => {
    end = { code, signal: null }
    child.kill('SIGKILL')
  }
  return { read, stop: () => clearTimeout(timer), end: () => end }
}

function collectText(stream, onData) {
  const chunks = []
  stream.setEncoding('utf8')
  stream.on('data', (chunk) => {
    chunks.push(chunk)
    onData()
  })
  return () => chunks.join('')
}

/** Whole lines, with the time when they came. */
function collectLines(stream, onData) {
  const text = collectText(stream, onData)
  const lines = []
  stream.on('data', () => {
    const whole = text().split('\n').slice(lines.length, -1)
    lines.push(...whole.map((line) => ({ ...readLine(line), at: Date.now() })))
  })
  return () => lines
}

function readLine(line) {
  const space = line.indexOf(' ')
  return { cpu: Number(line.slice(0, space)), text: line.slice(space + 1) }
}

/** How long each file took, and how much CPU: until the next one, or the end of the last one. */
function timesOf(lines) {
  return lines.slice(1).map(({ at, cpu }, before) => ({
    source: lines[before].text,
    seconds: (at - lines[before].at) / 1000,
    cpu: (cpu - lines[before].cpu) / 1000
  }))
}

function findTroubles(files, result, exit) {
  const stopped = describeStop(result, exit)
  if (stopped !== undefined) return [`${stopped}\n${describeFiles(files)}`]
  return files.filter((file) => isEmpty(file, result)).map((file) => `${file.source}: no test in this file`)
}

function describeStop(result, { started, silent, signal, code }) {
  const where = started.at(-1) === finishedLine ? 'after the last file' : `in ${started.at(-1) ?? 'no file yet'}`
  if (silent) return `killed because it hung ${where}`
  if (signal !== null) return `crashed with ${signal} ${where}`
  if (started.at(-1) !== finishedLine) return `ended early with exit code ${code} ${where}`
  if (code !== 0 && result.failures.length === 0) return `exit code ${code} ${where}`
  return undefined
}

function describeFiles(files) {
  return ['files of this process:', ...files.map(({ source }) => `  ${source}`)].join('\n')
}

function isEmpty(file, result) {
  const count = result.files.get(file.source)
  if (count !== undefined && count.passed + count.failed > 0) return false
  return !result.skips.some((skip) => skip.source === file.source)
}
