import type { IncomingMessage, ServerResponse } from 'node:http'
import { maskSecrets } from '@modelwire/server'
import type { FastifyBaseLogger } from 'fastify'
import type { ReadWatch } from './compare/read-watch.ts'
import type { OldServer } from './pass-on/old-server.ts'
import { forward } from './pass-on/forward.ts'
import type { Owner, RouteEntry, RouteTable } from './routes/route-table.ts'
import type { WatchErrors } from './start-behind.ts'

/** Decides for each request which side answers it. */
export interface Gate {
  /** Starts handling a request, and returns the side that answers it. */
  readonly enter: (req: IncomingMessage, res: ServerResponse) => Owner
  /** Lets the old server answer. */
  readonly forward: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** The side that a WebSocket belongs to: that of its route, so that an offer of one side is never answered by the other. */
  readonly ownerOfSocket: (req: IncomingMessage) => Owner
  /** Counts a WebSocket for the side that it belongs to. */
  readonly countSocket: (req: IncomingMessage) => void
}

/** The dependencies of a gate. */
export interface GateParts {
  readonly table: RouteTable
  readonly old: OldServer
  readonly reads: ReadWatch
  /** Undefined if errors do not hand routes back. */
  readonly errors: WatchErrors | undefined
  readonly log: FastifyBaseLogger
}

/** Makes the gate. A request that has started stays with its side, even if its route is switched meanwhile. */
export function makeGate({ table, old, reads, errors, log }: GateParts): Gate {
  return {
    enter: (req, res) => {
      const entry: RouteEntry = table.find(req)
      const { owner } = entry
      entry.evidence.answered[owner] += 1
      reads.watch(entry, req, res)
      if (owner === 'new') errors?.(entry, req, res)
      return owner
    },
    forward: async (req, res) => {
      const began = performance.now()
      const { method, url = '' } = req
      const error = await forward(old, req, res)
      const facts = { method, url: maskSecrets(url), responseTime: performance.now() - began }
      if (error === undefined && !res.writableFinished)
        log.info(facts, 'the client disconnected before the old server answered')
      else if (error === undefined) log.info({ ...facts, statusCode: res.statusCode }, 'answered by the old server')
      else log.warn({ ...facts, err: error }, 'the old server did not answer')
    },
    ownerOfSocket: (req) => table.find(req).owner,
    countSocket: (req) => {
      const { evidence, owner } = table.find(req)
      evidence.answered[owner] += 1
    }
  }
}
