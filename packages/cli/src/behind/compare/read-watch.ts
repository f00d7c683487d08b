import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Answer } from '../../diff/compare.ts'
import { maskOutcome } from '../routes/mask-outcome.ts'
import type { NotCompared, Verdict } from '../routes/route-evidence.ts'
import type { OldServer } from '../pass-on/old-server.ts'
import type { Owner, RouteEntry } from '../routes/route-table.ts'
import type { Handover } from '../routes/handover.ts'
import { comparisonHeader, isRepeatable, makeRepeatable, type Repeatable } from './ask-sides.ts'
import { type Background, compareRead, type ReadComparison } from './compare-read.ts'
import { captureAnswer, type Captured, type CaptureLimits, decodeBody } from './capture-answer.ts'

/** Observes the reads of clients, and compares them. */
export interface ReadWatch {
  readonly watch: (entry: RouteEntry, req: IncomingMessage, res: ServerResponse) => void
}

/** A read, and the side that answers it, even if its route changes its owner later. */
interface WatchedRead {
  readonly entry: RouteEntry
  readonly owner: Owner
  readonly repeatable: Repeatable
}

/** The dependencies for observing reads. */
export interface ReadWatchParts {
  readonly old: OldServer
  readonly comparison: ReadComparison
  readonly background: Background
  readonly limits: CaptureLimits
  /** The fraction of all reads to compare, from 0 to 1. */
  readonly sample: number
  /** Number of equal responses in a row after which a route is handed over; undefined: never. */
  readonly after: number | undefined
  readonly handover: Handover
  readonly log: FastifyBaseLogger
}

/** Answers that are not a whole answer: nothing new, and a part. */
const partial = new Set([206, 304])

/** The answer as it is compared; undefined where it is not a whole answer, `large` where it cannot be decoded. */
async function wholeAnswer(captured: Captured, limit: number): Promise<Answer | undefined | 'large'> {
  const { status, headers, body, release } = captured
  const text = await decodeBody(body, headers['content-encoding'], limit)
  release()
  if (partial.has(status)) return undefined
  return text === undefined ? 'large' : { status, headers, text }
}

function leave({ evidence }: RouteEntry, reason: NotCompared): void {
  evidence.add({ kind: 'not compared', reason })
}

/** Makes the observer. It never delays or changes a response. */
export function makeReadWatch(parts: ReadWatchParts): ReadWatch {
  const { old, background, limits, sample, log } = parts
  const compare = async ({ entry, ...read }: WatchedRead, captured: Captured): Promise<void> => {
    try {
      const answer = await wholeAnswer(captured, limits.limit)
      if (answer === 'large') leave(entry, 'large')
      else await record(parts, entry, await compareRead(parts.comparison, { ...read, answer }))
    } catch (error) {
      log.warn({ err: error, route: entry.name }, 'answers could not be compared')
      leave(entry, 'unanswered')
    }
  }
  const watch: ReadWatch['watch'] = (entry, req, res) => {
    if (!entry.reads || !isRepeatable(req)) return
    if (req.headers[comparisonHeader] !== undefined || Math.random() >= sample) return leave(entry, 'sampled')
    if (!background.hasRoom()) return leave(entry, 'busy')
    const read: WatchedRead = { entry, owner: entry.owner, repeatable: makeRepeatable(req, old) }
    captureAnswer(res, limits, (captured) => {
      if (typeof captured === 'string') return leave(entry, captured)
      if (background.start(async () => compare(read, captured))) return undefined
      captured.release()
      return leave(entry, 'busy')
    })
  }
  return { watch }
}

async function record({ after, handover }: ReadWatchParts, entry: RouteEntry, verdict: Verdict): Promise<void> {
  const { evidence } = entry
  evidence.add(verdict)
  if (verdict.kind === 'different')
    evidence.keep({ ...maskOutcome(verdict.outcome), at: new Date().toISOString(), route: entry.name })
  const isProven = after !== undefined && evidence.equalInRow >= after
  if (isProven && entry.owner === 'old' && !entry.held) await handover.assignInBackground(entry, 'new', 'equal answers')
}
