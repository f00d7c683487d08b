import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type Ask, isRepeatable, makeRepeatable } from './compare/ask-sides.ts'
import type { OldServer } from './pass-on/old-server.ts'
import type { RouteEntry } from './routes/route-entry.ts'
import type { Handover } from './state/handover.ts'

/** Looks at what Modelwire answers to a client. */
export type WatchErrors = (entry: RouteEntry, req: IncomingMessage, res: ServerResponse) => void

/** The dependencies of switching routes back. */
export interface ErrorWatchParts {
  readonly old: OldServer
  readonly askOld: Ask
  readonly handover: Handover
  readonly log: FastifyBaseLogger
}

/**
 * Switches a route back as soon as it answers with a server error. A read without a body is sent to the old server
 * first, which keeps the route where it fails as well; any other request is not sent twice, and its route goes back at
 * once.
 */
export function makeErrorWatch({ old, askOld, handover, log }: ErrorWatchParts): WatchErrors {
  const asking = new Set<RouteEntry>()
  const oldFails = async (req: IncomingMessage): Promise<boolean> => {
    try {
      const answer = await askOld(makeRepeatable(req, old))
      return answer !== undefined && answer.status >= 500
    } catch (error) {
      log.warn({ err: error }, 'the old server was asked what it answers in place of an error, and did not answer')
      return true
    }
  }
  const decide = async (entry: RouteEntry, req: IncomingMessage): Promise<void> => {
    if (asking.has(entry) || entry.owner === 'old') return
    asking.add(entry)
    try {
      const mayAsk = entry.reads && isRepeatable(req)
      if (!mayAsk || !(await oldFails(req))) await handover.assignInBackground(entry, 'old', 'error')
    } finally {
      asking.delete(entry)
    }
  }
  return (entry, req, res) => {
    res.once('close', () => {
      if (res.statusCode < 500 || !res.headersSent) return
      entry.evidence.serverErrors += 1
      void decide(entry, req)
    })
  }
}
