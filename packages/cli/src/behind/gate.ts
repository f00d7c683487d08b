import type { IncomingMessage, ServerResponse } from 'node:http'
import { maskSecrets } from '@modelwire/core/plugin'
import type { FastifyBaseLogger } from 'fastify'
import type { ReadWatch } from './compare/read-watch.ts'
import type { OldServer } from './pass-on/old-server.ts'
import { passOn } from './pass-on/pass-on.ts'
import type { Owner, RouteEntry } from './routes/route-entry.ts'
import type { RouteTable } from './routes/route-table.ts'
import type { WatchErrors } from './watch-errors.ts'

/** Decides for each request which side answers it. */
export interface Gate {
  /** Begins with a request, and gives the side that answers it. */
  readonly enter: (req: IncomingMessage, res: ServerResponse) => Owner
  /** Has the old server answer. */
  readonly passOn: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  /** The side that a web socket belongs to: that of its route, so that no offer of one reaches what the other side answers. */
  readonly ownerOfSocket: (req: IncomingMessage) => Owner
  /** Counts a web socket for the side that it belongs to. */
  readonly countSocket: (req: IncomingMessage) => void
}

/** What a gate is made of. */
export interface GateParts {
  readonly table: RouteTable
  readonly old: OldServer
  readonly reads: ReadWatch
  /** Undefined where errors hand nothing back. */
  readonly errors: WatchErrors | undefined
  readonly log: FastifyBaseLogger
}

/** Makes the gate. A request that has begun stays with its side, whatever becomes of its route meanwhile. */
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
    passOn: async (req, res) => {
      const began = performance.now()
      const { method, url = '' } = req
      const error = await passOn(old, req, res)
      const facts = { method, url: maskSecrets(url), responseTime: performance.now() - began }
      if (error === undefined && !res.writableFinished)
        log.info(facts, 'the client left before the old server had answered')
      else if (error === undefined) log.info({ ...facts, statusCode: res.statusCode }, 'answered by the old server')
      else log.warn({ ...facts, err: error }, 'the old server gave no answer')
    },
    ownerOfSocket: (req) => table.find(req).owner,
    countSocket: (req) => {
      const { evidence, owner } = table.find(req)
      evidence.answered[owner] += 1
    }
  }
}
