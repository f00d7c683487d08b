import autocannon, { type Client, type Instance, type Request, type Result } from 'autocannon'
import type { BenchRequest } from './workloads.ts'

/** What keeps a server busy. */
export interface Load {
  readonly address: string
  /** Sent again and again; each connection starts at another place of the list. */
  readonly requests: readonly BenchRequest[]
  /** The status that all answers must have. */
  readonly status: number
  /** Connections that are kept alive and carry one request at a time. */
  readonly connections: number
}

/** What was answered since the load began. */
export interface Answers {
  /** Milliseconds that each answer took, in the order in which they came. */
  readonly times: readonly number[]
}

/** Some requests were not answered, or with another status than expected. */
export class LoadFailed extends Error {
  readonly code = 'BENCH_LOAD_FAILED'
}

/** Longer than `watch` ever takes: it ends the load. */
const longest = 86_400

/** What was answered, whatever it was. */
interface Counted {
  readonly times: number[]
  /** How many answers had another status, by that. */
  readonly others: Map<number, number>
}

/**
 * Keeps a server busy for as long as `watch` takes, and resolves with what that did. The last requests of the load are left unanswered.
 * @throws {LoadFailed}
 */
export async function keepBusy<Watched>(load: Load, watch: (answers: Answers) => Promise<Watched>): Promise<Watched> {
  const counted: Counted = { times: [], others: new Map() }
  const stop = startLoad(load, counted)
  let watched: Watched
  try {
    watched = await watch(counted)
  } catch (error) {
    await stop()
    throw error
  }
  const { errors } = await stop()
  const { times, others } = counted
  if (errors > 0 || others.size > 0 || times.length === 0) throw new LoadFailed(describe(load.status, counted, errors))
  return watched
}

/** Starts the load, and gives what ends it. */
function startLoad(
  { address, requests, status, connections }: Load,
  { times, others }: Counted
): () => Promise<Result> {
  const list = requests.map(toAutocannon)
  let connection = 0
  const setupClient = (client: Client): void => {
    client.setRequests(rotate(list, Math.floor((list.length * connection++) / connections)))
    client.on('response', (code, _bytes, time) => {
      if (code === status) times.push(time)
      else others.set(code, (others.get(code) ?? 0) + 1)
    })
  }
  // `sampleInt`: how often it looks whether it is to stop.
  const sizes = { connections, duration: longest, timeout: 600, sampleInt: 20 }
  let running: Instance | undefined
  const ended = new Promise<Result>((resolve, reject) => {
    const options = { url: address, requests: list.slice(0, 1), setupClient, ...sizes }
    running = autocannon(options, (error: Error | null, result) => (error === null ? resolve(result) : reject(error)))
  })
  return async () => {
    running?.stop()
    return ended
  }
}

function describe(status: number, { times, others }: Counted, errors: number): string {
  const counts = [...others].map(([code, count]) => `${count} with ${code}`)
  return [`${times.length} requests were answered with ${status}`, ...counts, `${errors} errors`].join(', ')
}

function toAutocannon({ method, path, body, form, headers = {} }: BenchRequest): Request {
  if (form !== undefined)
    return { method, path, body: form, headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } }
  if (body === undefined) return { method, path, headers: { ...headers } }
  return { method, path, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
}

function rotate<Item>(list: readonly Item[], by: number): Item[] {
  return [...list.slice(by), ...list.slice(0, by)]
}
