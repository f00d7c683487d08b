import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerHook } from './answers/answer-hook.ts'
import { createRecentWrites, type RecentWrites } from './caller/recent-writes.ts'
import { type ReplicaReads, withReplicaReads } from './caller/replica-reads.ts'
import type { DataSource } from './contract/data-source.ts'

/**
 * Lets requests that read, `GET` and `HEAD`, read from replicas; those of clients that wrote a moment ago do not. Nothing is
 * done where no data source has replicas.
 */
export function followWrites(app: FastifyInstance, dataSources: ReadonlyMap<string, DataSource>): void {
  const times = [...dataSources.values()].flatMap(({ connector }) => connector.capabilities.replicas ?? [])
  if (times.length === 0) return
  const writes = createRecentWrites(Math.max(...times.map(({ readAfterWrite }) => readAfterWrite)))
  const written = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    if (isRead(request)) withReplicaReads(readsOf(request, reply, { writes, written }), done)
    else done()
  })
  const note = answerHook('note of a write', (request, reply) => {
    // A request that failed may have written as well.
    if (isRead(request) && !written.has(request)) return
    writes.note(request)
    void reply.header('set-cookie', writes.cookieFor(request))
  })
  app.addHook('onSend', note)
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** A client may ask for what is stored now, as it asks caches. @see RFC 9111 section 5.2.1.4 */
const isCurrent = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers['cache-control'] ?? '')

function readsOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  { writes, written }: { readonly writes: RecentWrites; readonly written: WeakSet<FastifyRequest> }
): ReplicaReads {
  return {
    // Who calls is known later than that somebody does. A stream that has begun tells of what is stored now.
    mayLag: () => !raw.headersSent && !written.has(request) && !isCurrent(request) && !writes.has(request),
    noteWrite: () => written.add(request)
  }
}
