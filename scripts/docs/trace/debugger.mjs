// Watches functions of the main thread and reports in which order they are entered first: a worker of trace-lists.mjs.
import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'

/** @typedef {import('./coverage.mjs').Entered} Entered */

const session = new Session()
session.connectToMainThread()
const scripts = new Map()
session.on('Debugger.scriptParsed', ({ params: { url, scriptId } }) => scripts.set(url, scriptId))

/** Functions by the statement at which the debugger stops for them, and the breakpoints by that statement. */
let watched = new Map()
let breakpoints = new Map()
let unwatched = []
let order = new Set()

async function noteStops() {
  for await (const [{ params }] of on(session, 'Debugger.paused')) {
    for (const id of params.hitBreakpoints) watched.get(id)?.forEach((entered) => order.add(entered))
    await session.post('Debugger.resume')
  }
}

/** Where an offset of a script is, in lines and columns. */
function locationOf({ url }, offset) {
  const lines = readFileSync(fileURLToPath(url), 'utf8').slice(0, offset).split('\n')
  return { scriptId: scripts.get(url), lineNumber: lines.length - 1, columnNumber: lines.at(-1).length }
}

/** The breakpoint at a place, which V8 makes only once. */
async function breakpointAt(location) {
  const place = JSON.stringify(location)
  const made = breakpoints.get(place) ?? (await session.post('Debugger.setBreakpoint', { location })).breakpointId
  breakpoints.set(place, made)
  return made
}

/**
 * Stops at the first statement of a function. The shortest functions, such as defaults of parameters, have none that V8 stops at:
 * they come last.
 * @param {Entered} entered
 */
async function watch(entered) {
  const [start, end] = [locationOf(entered, entered.start), locationOf(entered, entered.end)]
  const { locations } = await session.post('Debugger.getPossibleBreakpoints', { start, end })
  if (locations[0] === undefined) return unwatched.push(entered)
  const id = await breakpointAt(locations[0])
  return watched.set(id, [...(watched.get(id) ?? []), entered])
}

/** The functions in the order in which they were entered; forgets them. */
async function report() {
  for (const breakpointId of watched.keys()) await session.post('Debugger.removeBreakpoint', { breakpointId })
  const missed = [...watched.values()].flat().filter((entered) => !order.has(entered))
  const result = [...order, ...unwatched, ...missed]
  watched = new Map()
  breakpoints = new Map()
  unwatched = []
  order = new Set()
  return result
}

async function answer() {
  const messages = on(parentPort, 'message')
  await session.post('Debugger.enable')
  for await (const [message] of messages) {
    for (const entered of message.watch ?? []) await watch(entered)
    parentPort.postMessage(message.watch === undefined ? await report() : 'watching', [])
  }
}

await Promise.all([noteStops(), answer()])
