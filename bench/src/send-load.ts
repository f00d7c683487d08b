import autocannon, { type Client, type Request } from 'autocannon'
import type { BenchRequest } from './workloads.ts'

/** One run of the load generator. */
export interface Load {
  readonly address: string
  /** Sent again and again; each connection starts at another place of the list. */
  readonly requests: readonly BenchRequest[]
  /** How many requests are sent altogether. */
  readonly amount: number
  /** The status that all answers must have. */
  readonly status: number
  /** Connections at the same time; `connections` when absent. */
  readonly atOnce?: number
}

/** Some requests were not answered, or with another status than expected. */
export class LoadFailed extends Error {
  readonly code = 'BENCH_LOAD_FAILED'
}

/** Connections that are kept alive and carry one request at a time. */
export const connections = 8

/** Sends the load and resolves with the seconds that it took. @throws {LoadFailed} */
export async function sendLoad({ address, requests, amount, status, atOnce = connections }: Load): Promise<number> {
  const list = requests.map(toAutocannon)
  let connection = 0
  const begin = performance.now()
  let end = begin
  const setupClient = (client: Client): void => {
    client.setRequests(rotate(list, Math.floor((list.length * connection++) / atOnce)))
    client.on('response', () => {
      end = performance.now()
    })
  }
  // `sampleInt`: how often it looks whether all answers are there.
  const options = { connections: atOnce, amount, setupClient, sampleInt: 20, timeout: 600 }
  const { errors, statusCodeStats = {} } = await autocannon({ url: address, requests: list.slice(0, 1), ...options })
  const answered = statusCodeStats[`${status}`]?.count ?? 0
  if (errors > 0 || answered !== amount) {
    throw new LoadFailed(
      `${answered} of ${amount} requests were answered with ${status}; ${JSON.stringify(statusCodeStats)}, ${errors} errors`
    )
  }
  return (end - begin) / 1000
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
