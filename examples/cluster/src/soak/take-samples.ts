import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { databaseName, type Cluster } from '../cluster/start-cluster.ts'
import { runOn } from '../cluster/run-on.ts'

/** What one process of the application holds at one time. */
export interface ProcessSample {
  /** Seconds since the beginning of the load. */
  readonly at: number
  /** Number of the process, another one after each start. */
  readonly pid: number
  /** Which of the processes it is, from 1. */
  readonly process: number
  /** Megabytes. */
  readonly rss: number
  readonly heap: number | undefined
  readonly descriptors: number
  /** Milliseconds by which the event loop was late, of 99 % of its turns since the last sample. */
  readonly lag: number | undefined
}

/** How much tables and Redis hold at one time; undefined where they did not answer. */
export interface StoreSample {
  readonly at: number
  readonly rows: Readonly<Record<string, number | undefined>>
}

const megabyte = 2 ** 20

/** The value of a metric without labels, in the text format of Prometheus. */
export function metricIn(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

async function readMetrics(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(5000) })
    return await answer.text()
  } catch {
    return ''
  }
}

async function sampleProcess({ processes }: Cluster, at: number, index: number): Promise<ProcessSample[]> {
  const pid = processes[index]?.pid()
  if (pid === undefined) return []
  try {
    const text = await readMetrics(processes[index]?.probes ?? 0)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const heap = metricIn(text, 'nodejs_heap_size_used_bytes')
    const lag = metricIn(text, 'nodejs_eventloop_lag_p99_seconds')
    const descriptors = (await readdir(`/proc/${pid}/fd`)).length
    return [
      {
        at,
        pid,
        process: index + 1,
        rss: Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024,
        heap: heap && heap / megabyte,
        descriptors,
        lag: lag && lag * 1000
      }
    ]
  } catch {
    // It ended while it was looked at.
    return []
  }
}

/** How many keys Redis holds: by its inline protocol, which needs no client. */
async function countKeys(port: number): Promise<number | undefined> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2000) })
    socket.write('DBSIZE\r\n')
    const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(2000) })) as [Buffer] // as sockets give it
    return Number(data.toString().slice(1))
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

const tables = ['modelwire_changes', 'accesstoken', 'order', 'webhookdelivery', 'sharedstate']

/** The address of the database of the application on the server that writes. */
export function databaseUrl({ databases }: Cluster): string {
  return Object.assign(new URL(databases.primary().url), { pathname: `/${databaseName}` }).href
}

async function countRows(cluster: Cluster, table: string): Promise<number | undefined> {
  try {
    const [row] = await runOn(databaseUrl(cluster), `select count(*)::int as count from "${table}"`)
    return Number(row?.['count'])
  } catch {
    return undefined
  }
}

/** Looks at all processes of the application. */
export async function sampleProcesses(cluster: Cluster, at: number): Promise<readonly ProcessSample[]> {
  return (await Promise.all(cluster.processes.map(async (_, index) => sampleProcess(cluster, at, index)))).flat()
}

/** Counts the rows of tables that grow, and keys of Redis. */
export async function sampleStores(cluster: Cluster, at: number): Promise<StoreSample> {
  const counts = await Promise.all(tables.map(async (table) => [table, await countRows(cluster, table)] as const))
  return { at, rows: { ...Object.fromEntries(counts), 'keys of Redis': await countKeys(cluster.ports.redis) } }
}
