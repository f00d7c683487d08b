import { setTimeout as pause } from 'node:timers/promises'
import { accounts } from '../application/stock.ts'
import { runOn } from '../cluster/run-on.ts'
import type { Cluster } from '../cluster/start-cluster.ts'
import type { WebhookReceiver } from '../receiver/receive-webhooks.ts'
import { Client } from './client.ts'
import { EventReader } from './event-reader.ts'
import { type Fault, Faults } from './faults.ts'
import type { Slope } from './fit-slope.ts'
import { Load, type Rates } from './load.ts'
import { SeenOrders } from './seen-orders.ts'
import { type Lifetime, lifetimesOf, storeSlopes } from './summarize.ts'
import { databaseUrl, type ProcessSample, sampleProcesses, sampleStores, type StoreSample } from './take-samples.ts'

/** How long, and how much. */
export interface SoakOptions {
  readonly minutes: number
  readonly rates: Rates
  readonly streams: number
  /** Seconds between two faults. */
  readonly faultsEvery: number
  readonly receiver: WebhookReceiver
  readonly say: (text: string) => void
}

/** What came out. */
export interface SoakResult {
  readonly minutes: number
  readonly checks: Readonly<Record<string, number>>
  readonly answers: Readonly<Record<string, number>>
  readonly lifetimes: readonly Lifetime[]
  readonly stores: Readonly<Record<string, Slope | undefined>>
  readonly faults: readonly Fault[]
  readonly samples: { readonly processes: readonly ProcessSample[]; readonly stores: readonly StoreSample[] }
}

/** Seconds between two samples. */
const sampleEvery = 10
/** Seconds for what is still under way at the end. */
const drainTime = 120

interface Reader {
  readonly seen: SeenOrders
  readonly reader: EventReader
}

async function openReaders(cluster: Cluster, load: Load, count: number): Promise<Reader[]> {
  const client = new Client(cluster.url, '10.3.0.1', load.answers)
  await client.logIn({ ...accounts.customer, ttl: 1_209_600 })
  client.close()
  const source = { url: `${cluster.url}/api/Orders/change-stream`, token: client.token ?? '' }
  return Array.from({ length: count }, () => {
    const seen = new SeenOrders()
    const reader = new EventReader(source, (event) => seen.take(event))
    reader.start()
    return { seen, reader }
  })
}

async function untilPlaced(readers: readonly Reader[]): Promise<void> {
  const end = performance.now() + 60_000
  while (!readers.every(({ reader }) => reader.isPlaced)) {
    if (performance.now() > end) throw new Error('the streams do not say where they are')
    await pause(100)
  }
}

interface Samples {
  readonly processes: ProcessSample[]
  readonly stores: StoreSample[]
}

async function take(cluster: Cluster, { processes, stores }: Samples, at: number): Promise<void> {
  const [more, store] = await Promise.all([sampleProcesses(cluster, at), sampleStores(cluster, at)])
  processes.push(...more)
  stores.push(store)
}

/** Samples and faults until the time is over. */
async function watch(cluster: Cluster, faults: Faults, options: SoakOptions): Promise<Samples> {
  const samples: Samples = { processes: [], stores: [] }
  const begin = performance.now()
  const seconds = (): number => (performance.now() - begin) / 1000
  const sampling = setInterval(() => {
    void take(cluster, samples, seconds())
  }, sampleEvery * 1000)
  let next = options.faultsEvery
  // The last faults leave time to recover.
  const last = options.minutes * 60 - Math.min(60, options.faultsEvery)
  while (seconds() < options.minutes * 60) {
    await pause(500)
    if (seconds() < next || (seconds() > last && !faults.isHalfway)) continue
    const { what, took, error = '' } = await faults.cause(seconds())
    options.say(`${Math.round(seconds())} s: ${what}, ${took} s ${error}`)
    next = seconds() + (faults.isHalfway ? 15 : options.faultsEvery)
  }
  clearInterval(sampling)
  return samples
}

async function storedOrders(cluster: Cluster): Promise<string[]> {
  const rows = await runOn(databaseUrl(cluster), 'select reference from "order"')
  return rows.map(({ reference }) => String(reference))
}

/** Waits for what is still on its way to readers. */
async function drain(stored: readonly string[], all: readonly SeenOrders[]): Promise<void> {
  const end = performance.now() + drainTime * 1000
  const isDone = (): boolean => all.every((seen) => seen.compare(stored).missed === 0)
  while (!isDone() && performance.now() < end) await pause(500)
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function countChecks(load: Load, stored: readonly string[], all: { readers: readonly Reader[]; hooks: SeenOrders }) {
  const set = new Set(stored)
  const compared = all.readers.map(({ seen }) => seen.compare(stored))
  const hooks = all.hooks.compare(stored)
  return {
    'orders acknowledged': load.acknowledged.length,
    'orders acknowledged and lost': load.acknowledged.filter(({ reference }) => !set.has(reference)).length,
    'orders of unknown outcome': load.unknown.length,
    'of these stored': load.unknown.filter((reference) => set.has(reference)).length,
    'orders stored': stored.length,
    'orders stored twice': stored.length - set.size,
    'own orders not found when read': load.stale,
    'requests not sent, too many waited': load.skipped,
    streams: compared.length,
    'orders a stream did not tell of, all streams': total(compared.map(({ missed }) => missed)),
    'orders a stream told of twice, all streams': total(compared.map(({ repeated }) => repeated)),
    'streams told that they missed some': total(all.readers.map(({ reader }) => reader.resets)),
    'connections of streams': total(all.readers.map(({ reader }) => reader.connections)),
    'orders no webhook told of': hooks.missed,
    'orders webhooks told of more than once': hooks.repeated
  }
}

/** Sends load to a cluster, causes faults, and looks at what becomes of it. */
export async function runSoak(cluster: Cluster, options: SoakOptions): Promise<SoakResult> {
  const load = new Load(cluster.url)
  await load.begin()
  const readers = await openReaders(cluster, load, options.streams)
  await untilPlaced(readers)
  const faults = new Faults(cluster)
  const stop = load.start(options.rates)
  const samples = await watch(cluster, faults, options)
  await stop()
  const stored = await storedOrders(cluster)
  const hooks = options.receiver.orders
  await drain(stored, [...readers.map(({ seen }) => seen), hooks])
  for (const { reader } of readers) reader.stop()
  return {
    minutes: options.minutes,
    checks: countChecks(load, stored, { readers, hooks }),
    answers: load.answers.toObject(),
    lifetimes: lifetimesOf(samples.processes),
    stores: storeSlopes(samples.stores),
    faults: faults.happened,
    samples
  }
}
