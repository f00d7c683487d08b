import { Agent, request } from 'node:http'
import { once } from 'node:events'
import { planRuns } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import { benchAccount, benchToken } from '../servers/access-parts.ts'
import { spawnServer } from '../spawn-server.ts'
import { median, percentile } from '../statistics.ts'
import { type BenchRequest, workloads } from '../workloads.ts'

/** How long reads took in one round, in milliseconds. */
export interface LoginLine {
  readonly title: string
  readonly p50: number[]
  readonly p99: number[]
}

const readers = 8
const readsPerReader = 250
const login: BenchRequest = { method: 'POST', path: '/api/Customers/login', body: benchAccount }

/** The login or a read failed, so that its time means nothing. */
export class LoginFailed extends Error {
  readonly code = 'BENCH_LOGIN_FAILED'
}

/** Sends one request and gives the milliseconds until its answer was read. */
async function time(address: string, agent: Agent, { method, path, body, headers }: BenchRequest): Promise<number> {
  const begin = performance.now()
  const sending = request(address + path, {
    method,
    agent,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  })
  sending.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sending, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new LoginFailed(`${method} ${path} was answered with ${response.statusCode}`)
  return performance.now() - begin
}

/** Reads one after the other on each of some connections, until all are done or `isOver` says so. */
async function readAll(address: string, requests: readonly BenchRequest[], isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: readers })
  const read = async (first: number): Promise<number[]> => {
    const times: number[] = []
    for (let at = 0; at < readsPerReader && !isOver(); at++) {
      const asked = requests[(first * readsPerReader + at) % requests.length]
      if (asked !== undefined) times.push(await time(address, agent, asked))
    }
    return times
  }
  const times = await Promise.all(Array.from({ length: readers }, (_, index) => read(index)))
  agent.destroy()
  return times.flat()
}

/** The reads while all logins are under way. */
async function readDuringLogins(address: string, requests: readonly BenchRequest[], logins: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  let left = logins
  const log = async (): Promise<void> => {
    await time(address, agent, login)
    left--
  }
  const all = Promise.all(Array.from({ length: logins }, log))
  const times = await readAll(address, requests, () => left === 0)
  await all
  agent.destroy()
  return times
}

/** Measures how long reads by id take, with and without many people who log in. */
export async function runLogins(options: BenchOptions, print: (text: string) => void): Promise<readonly LoginLine[]> {
  const server = await spawnServer({ kind: 'modelwire-token', rows: options.rows })
  const headers = { authorization: benchToken }
  const lines: LoginLine[] = [
    { title: 'W1 alone', p50: [], p99: [] },
    { title: `W1 during ${options.logins} logins`, p50: [], p99: [] }
  ]
  const [alone, during] = lines
  try {
    const [read] = workloads
    const requests = read === undefined ? [] : planRuns(read, options).requests.map((one) => ({ ...one, headers }))
    await readAll(server.address, requests, () => false)
    for (let round = 0; round < options.pairs; round++) {
      note(alone, await readAll(server.address, requests, () => false))
      note(during, await readDuringLogins(server.address, requests, options.logins))
      print(`round ${round + 1} of ${options.pairs} is done`)
    }
  } finally {
    await server.stop()
  }
  print(printTable(columns, lines))
  return lines
}

function note(line: LoginLine | undefined, times: readonly number[]): void {
  line?.p50.push(percentile(times, 0.5))
  line?.p99.push(percentile(times, 0.99))
}

const columns: readonly Column<LoginLine>[] = [
  { heading: '', side: 'left', cell: ({ title }) => title },
  { heading: 'p50 ms', cell: ({ p50 }) => formatNumber(median(p50)) },
  { heading: 'p99 ms', cell: ({ p99 }) => formatNumber(median(p99)) }
]
