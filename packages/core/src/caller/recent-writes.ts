import type { FastifyRequest } from 'fastify'

/** Remembers for a while which clients wrote. */
export interface RecentWrites {
  /** Says that the client of a request wrote. */
  readonly note: (request: FastifyRequest) => void
  /** The client of a request wrote within the time, as far as this process knows, or its cookie. */
  readonly has: (request: FastifyRequest) => boolean
  /** The cookie that tells other processes: the client keeps it as long as it counts. */
  readonly cookieFor: (request: FastifyRequest) => string
}

const cookieName = 'modelwire_wrote'
const hasCookie = new RegExp(`(?:^|;\\s*)${cookieName}=1(?:;|$)`)

/** Clients that are remembered; beyond them those that wrote first are forgotten first. */
const most = 10_000

/** Remembers clients for `time` milliseconds after a write: by who they are where that is known, else by their address. */
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
