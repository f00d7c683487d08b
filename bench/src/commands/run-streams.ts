import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchOptions } from '../options.ts'
import { formatNumber, formatSpread, printTable, type Column } from '../print-table.ts'
import { cpuBetween, readCpuOf } from '../process-cpu.ts'
import { benchToken } from '../servers/access-parts.ts'
import { type RunningServer, spawnServer } from '../spawn-server.ts'
import { spreadOf } from '../statistics.ts'

/** Resident memory of the server at one moment. */
interface Sample {
  /** Seconds since the streams were open. */
  readonly at: number
  readonly bytes: number
}

/** What many open streams cost, and what their readers got. */
export interface StreamsLine {
  readonly streams: number
  readonly minutes: number
  readonly bytesPerStream: number
  /** Megabytes per minute, by a straight line through the second half of the time. */
  readonly slope: number
  readonly writes: number
  /** Events that readers who keep up did not get. */
  readonly lost: number
  /** The reader that does not read was dropped. */
  readonly dropped: boolean
}

/** The server refuses a stream or a write, so that what is measured means nothing. */
export class StreamRefused extends Error {
  readonly code = 'BENCH_STREAM_REFUSED'
}

const rows = 1000
const keepingUp = 10
const writesPerSecond = 50
const sampleEvery = 5000
/** How many connections are opened at once: a listening socket queues no more than 511. */
const atOnce = 200
/** Bytes of one record, so that a reader that does not read is behind soon. */
const padding = 2000

/** A stream, opened without a client library: what is measured is the server. */
async function openStream({ address }: RunningServer, options: object): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const query = encodeURIComponent(JSON.stringify(options))
  const head = ['Host: bench', `Authorization: ${benchToken}`].join('\r\n')
  socket.write(`GET /api/Products/change-stream?options=${query} HTTP/1.1\r\n${head}\r\n\r\n`)
  const [begin] = await once(socket, 'data')
  if (!String(begin).startsWith('HTTP/1.1 200 ')) throw new StreamRefused(`a stream was answered with ${String(begin)}`)
  return socket
}

async function openMany(server: RunningServer, count: number, options: object): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const batch = Math.min(atOnce, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: batch }, () => openStream(server, options)))))
  }
  for (const socket of sockets) socket.resume()
  return sockets
}

/** A condition that no record meets: the server asks it of each change all the same. */
const nothing = { where: { category: 'none' } }

/** Counts the events of a stream. */
function countEvents(socket: Socket): () => number {
  let count = 0
  let tail = ''
  socket.on('data', (data) => {
    const text = tail + data.toString('latin1')
    const parts = text.split('event: data\n')
    count += parts.length - 1
    tail = (parts.at(-1) ?? '').slice(-'event: data\n'.length + 1)
  })
  return () => count
}

async function write({ address }: RunningServer, at: number, length = padding): Promise<void> {
  const answer = await fetch(`${address}/api/Products/${1 + (at % rows)}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: benchToken },
    body: JSON.stringify({ description: String(at).padEnd(length, '.') })
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new StreamRefused(`a write was answered with ${answer.status}`)
}

/** Megabytes per minute, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const count = samples.length
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count
  const meanBytes = samples.reduce((sum, { bytes }) => sum + bytes, 0) / count
  const up = samples.reduce((sum, { at, bytes }) => sum + (at - meanAt) * (bytes - meanBytes), 0)
  const across = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  return ((up / across) * 60) / 2 ** 20
}

/** Writes at a steady pace until the time is over; gives the number of writes and the memory meanwhile. */
async function writeFor(server: RunningServer, seconds: number): Promise<{ writes: number; samples: Sample[] }> {
  const begin = performance.now()
  const samples: Sample[] = []
  let writes = 0
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - begin) {
    if (elapsed >= samples.length * sampleEvery) samples.push({ at: elapsed / 1000, bytes: await server.readMemory() })
    await write(server, writes++)
    const due = (writes / writesPerSecond) * 1000
    const early = due - (performance.now() - begin)
    if (early > 0) await pause(early)
  }
  return { writes, samples }
}

async function measure(server: RunningServer, { streams, minutes }: BenchOptions): Promise<StreamsLine> {
  // The first requests load code.
  for (let at = 0; at < 2000; at++) await write(server, at)
  const before = await server.readMemory()
  const idle = await openMany(server, streams, nothing)
  const after = await server.readMemory()
  const readers = await Promise.all(Array.from({ length: keepingUp }, () => openStream(server, {})))
  const counts = readers.map(countEvents)
  const stuck = await openStream(server, {})
  stuck.pause()
  const { writes, samples } = await writeFor(server, minutes * 60)
  await pause(1000)
  const dropped = await isDropped(stuck)
  const lost = counts.reduce((sum, count) => sum + Math.max(0, writes - count()), 0)
  for (const socket of [...idle, ...readers, stuck]) socket.destroy()
  const half = samples.slice(Math.floor(samples.length / 2))
  return { streams, minutes, bytesPerStream: (after - before) / streams, slope: slopeOf(half), writes, lost, dropped }
}

/** Reads what came before; a connection that the server has closed then ends. */
async function isDropped(socket: Socket): Promise<boolean> {
  socket.on('error', () => {})
  socket.resume()
  for (let tries = 0; !socket.closed && tries < 200; tries++) await pause(10)
  return socket.closed
}

/** What `streams` has measured. */
export interface StreamsResult {
  readonly events: readonly EventsLine[]
  readonly memory: StreamsLine
}

/** What one event costs for each of its readers. */
export interface EventsLine {
  readonly readers: string
  readonly count: number
  /** Microseconds of CPU per event and reader, of each round. */
  readonly micros: number[]
}

/** Readers with the same rights: of everything, of rows and fields that a rule allows, and those that ask for nothing. */
const readerKinds = [
  { readers: 'all', kind: 'modelwire', options: {} },
  {
    readers: 'by a rule',
    kind: 'modelwire-rows',
    options: { where: { stock: { gte: 0 } }, fields: ['id', 'description'] }
  },
  { readers: 'none match', kind: 'modelwire-rows', options: nothing }
] as const

const readerCounts = [10, 100, 1000]
const warmWrites = 500

/** Seconds of CPU that a server needs for these writes, until all readers have the events. */
async function costOfWrites(server: RunningServer, writes: number, counts: readonly (() => number)[]): Promise<number> {
  const before = readCpuOf(server.pids)
  for (let at = 0; at < writes; at++) await write(server, at, 0)
  while (counts.some((count) => count() < writes)) await pause(10)
  return cpuBetween(before, readCpuOf(server.pids))
}

/** Microseconds of CPU that one more reader costs for each event. */
async function costOfReaders(server: RunningServer, options: object, count: number): Promise<number> {
  const writes = Math.max(100, Math.min(2000, 100_000 / count))
  const alone = await costOfWrites(server, writes, [])
  const sockets = await openMany(server, count, options)
  const cost = await costOfWrites(server, writes, options === nothing ? [] : sockets.map(countEvents))
  for (const socket of sockets) socket.destroy()
  return ((cost - alone) * 1e6) / (writes * count)
}

async function measureReaders(
  { readers, kind, options }: (typeof readerKinds)[number],
  rounds: number
): Promise<EventsLine[]> {
  const server = await spawnServer({ kind, rows, productsOnly: true })
  try {
    await costOfWrites(server, warmWrites, [])
    const lines = readerCounts.map((count): EventsLine => ({ readers, count, micros: [] }))
    const turns = Array.from({ length: rounds }, () => lines).flat()
    for (const { count, micros } of turns) micros.push(await costOfReaders(server, options, count))
    return lines
  } finally {
    await server.stop()
  }
}

async function measureEvents({ pairs }: BenchOptions): Promise<EventsLine[]> {
  const lines: EventsLine[] = []
  for (const kind of readerKinds) lines.push(...(await measureReaders(kind, pairs)))
  return lines
}

/** Keeps many change streams open while records change, and looks at memory and lost events. */
export async function runStreams(options: BenchOptions, print: (text: string) => void): Promise<StreamsResult> {
  const events = await measureEvents(options)
  print(printTable(eventColumns, events))
  const server = await spawnServer({ kind: 'modelwire', rows, productsOnly: true })
  try {
    const line = await measure(server, options)
    print(printTable(streamsColumns, [line]))
    return { events, memory: line }
  } finally {
    await server.stop()
  }
}

/** The columns of its table. */
export const streamsColumns: readonly Column<StreamsLine>[] = [
  { heading: 'streams', cell: ({ streams }) => formatNumber(streams) },
  { heading: 'minutes', cell: ({ minutes }) => formatNumber(minutes) },
  { heading: 'bytes per stream', cell: ({ bytesPerStream }) => formatNumber(bytesPerStream) },
  { heading: 'MB per minute', cell: ({ slope }) => slope.toFixed(2) },
  { heading: 'writes', cell: ({ writes }) => formatNumber(writes) },
  { heading: 'events lost', cell: ({ lost }) => formatNumber(lost) },
  { heading: 'stuck reader dropped', cell: ({ dropped }) => String(dropped) }
]

/** The columns of the table of events. */
export const eventColumns: readonly Column<EventsLine>[] = [
  { heading: 'readers', side: 'left', cell: ({ readers }) => readers },
  { heading: 'at once', cell: ({ count }) => formatNumber(count) },
  { heading: 'µs per event and reader', cell: ({ micros }) => formatSpread(spreadOf(micros)) }
]
