import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify'
import { answerHook } from '@modelwire/server'
import { type ReplicaReads, withReplicaReads } from './caller/replica-reads.ts'
import type { DataSource } from './contract/data-source.ts'

/** Remembers for a while which clients wrote. */
export interface RecentWrites {
  /** Records that the client of a request wrote. */
  readonly note: (request: FastifyRequest) => void
  /** Whether the client of a request wrote recently, according to this process or its cookie. */
  readonly has: (request: FastifyRequest) => boolean
  /** The cookie that informs other processes: the client keeps it as long as it is valid. */
  readonly cookieFor: (request: FastifyRequest) => string
}

const cookieName = 'modelwire_wrote'
const hasCookie = new RegExp(`(?:^|;\\s*)${cookieName}=1(?:;|$)`)

/** Clients that are remembered; beyond them those that wrote first are forgotten first. */
const most = 10_000

/** Makes a store that remembers clients for `time` milliseconds after a write: by identity if known, else by address. */
export function createRecentWrites(time: number, now: () => number = Date.now): RecentWrites {
  const ends = new Map<string, number>()
  const isRecent = (key: string | undefined): boolean => key !== undefined && (ends.get(key) ?? 0) > now()
  return {
    note: (request) => {
      const key = keyOf(request) ?? request.ip
      // The order of the map is that of the last writes.
      ends.delete(key)
      ends.set(key, now() + time)
      for (const [each, end] of ends) {
        if (ends.size <= most && end > now()) break
        ends.delete(each)
      }
    },
    // Before a client proves who it is, it may have written as a stranger.
    has: (request) => hasCookie.test(request.headers.cookie ?? '') || isRecent(keyOf(request)) || isRecent(request.ip),
    cookieFor: ({ protocol }) => {
      const secure = protocol === 'https' ? '; Secure' : ''
      return `${cookieName}=1; Max-Age=${Math.ceil(time / 1000)}; Path=/; HttpOnly; SameSite=Lax${secure}`
    }
  }
}

/** Addresses have no tabs. */
function keyOf({ principal }: FastifyRequest): string | undefined {
  if (principal === null) return undefined
  const { userModel = '', userId, appId } = principal
  return ['who', userModel, String(userId ?? ''), String(appId ?? '')].join('\t')
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** A client may ask for what is stored now, as it asks caches. @see RFC 9111 section 5.2.1.4 */
const isCurrent = ({ headers }: FastifyRequest): boolean => /\bno-cache\b/i.test(headers['cache-control'] ?? '')

/**
 * Lets read requests, `GET` and `HEAD`, read from replicas, except those of clients that wrote recently. Does nothing if no
 * data source has replicas.
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
