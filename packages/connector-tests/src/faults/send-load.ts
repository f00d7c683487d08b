import { randomUUID } from 'node:crypto'
import { takeTime, until } from '@modelwire/test-waits'

/** What clients saw of a server while something went wrong. */
export interface LoadReport {
  /** Ids of entries that the server said it stored. */
  readonly acknowledged: Set<string>
  /** Pairs of ids that were sent in one request each: both are stored, or none. */
  readonly pairs: (readonly [string, string])[]
  /** How many answers had each status and code, such as `503 DATA_SOURCE_UNAVAILABLE`. */
  readonly answers: Map<string, number>
  /** Requests that had no answer in time. */
  hung: number
  /** Requests whose connection to the server broke. */
  broken: number
  /** Milliseconds of the slowest answer. */
  slowest: number
}

/** Clients at work. */
export interface Load {
  readonly report: LoadReport
  /** Resolves when the next write is acknowledged, or `count` of them; rejects when that takes longer than `limit` milliseconds. */
  readonly success: (limit: number, count?: number) => Promise<void>
  /** The same for the next answer of this status and code. */
  readonly answered: (answer: string, limit: number) => Promise<void>
  /** Lets the clients finish what they are at. */
  readonly stop: () => Promise<LoadReport>
}

/** Milliseconds after which a request counts as one that hangs. */
const requestTimeoutMs = 15_000

/** Clients that write entries, alone and in pairs, and read them back, one request after the other each. */
export function sendLoad(url: string, clients = 6): Load {
  const report: LoadReport = {
    acknowledged: new Set(),
    pairs: [],
    answers: new Map(),
    hung: 0,
    broken: 0,
    slowest: 0
  }
  const state = { isOver: false }
  const work = Array.from({ length: clients }, async (_, worker) => {
    for (let serial = 0; !state.isOver; serial++) await writeOnce(url, report, { worker, serial })
  })
  return {
    report,
    success: async (limit, count = 1) => {
      const wanted = report.acknowledged.size + count
      await until(() => report.acknowledged.size >= wanted, 'a write to be acknowledged', limit)
    },
    answered: async (answer, limit) => {
      const before = report.answers.get(answer)
      await until(() => report.answers.get(answer) !== before, `the answer ${answer}`, limit)
    },
    stop: async () => {
      state.isOver = true
      await Promise.all(work)
      return report
    }
  }
}

async function writeOnce(
  url: string,
  report: LoadReport,
  { worker, serial }: { worker: number; serial: number }
): Promise<void> {
  const [id, twin] = [randomUUID(), randomUUID()]
  const single = { id, worker, serial }
  const isPair = serial % 3 === 0
  if (isPair) report.pairs.push([id, twin])
  const body = isPair ? [single, { id: twin, worker, serial, twin: id }] : single
  const isStored = await request(url, report, 'POST', body)
  if (isStored) for (const stored of isPair ? [id, twin] : [id]) report.acknowledged.add(stored)
  if (isStored && serial % 4 === 0) await request(`${url}/${id}`, report, 'GET')
  if (!isStored) await takeTime(5, 'clients do not ask a server again at once that refused')
}

async function request(url: string, report: LoadReport, method: string, body?: unknown): Promise<boolean> {
  const begin = performance.now()
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    const answer = nameAnswer(response.status, await response.text())
    report.answers.set(answer, (report.answers.get(answer) ?? 0) + 1)
    report.slowest = Math.max(report.slowest, performance.now() - begin)
    return response.ok
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') report.hung++
    else report.broken++
    return false
  }
}

function nameAnswer(status: number, text: string): string {
  if (status < 400) return String(status)
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1]
  return `${status} ${code ?? 'without a code'}`
}
