import { createHash, randomBytes } from 'node:crypto'
import { isPlainObject } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserFacts } from '../options/option-functions.ts'
import type { StateStore } from '../server/store/states.ts'
import type { UserDirectory } from '../server/store/user-directory.ts'
import { newCsrfSecret, type SessionCookie } from './browser-session.ts'

/** The user signed in in a browser. */
export interface SignedIn {
  readonly userId: unknown
  readonly authTime: Date
  /** The user's record. */
  readonly user: UserFacts
}

/** Signs users in and out of browsers. */
export interface SignIns {
  /** Undefined if no one is signed in: also after a logout, a password change, or when the account is deleted. */
  find(request: FastifyRequest): Promise<SignedIn | undefined>
  /** Starts a new session and ends the previous one, so that a fixated session id is useless. */
  signIn(request: FastifyRequest, reply: FastifyReply, user: UserFacts): Promise<void>
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Ends all sessions of a user, in all browsers. */
  signOutEverywhere(userId: unknown): Promise<void>
}

/** The row of a session. */
interface SessionRow {
  readonly userId: unknown
  /** Milliseconds. */
  readonly authTime: number
  readonly stamp: string
}

const kind = 'session'
/** When all sessions of a user ended. */
const endKind = 'session-end'

/** Changes with the password and the address of a user, and reveals nothing about them. */
function stampOf(id: string, { password, email }: UserFacts): string {
  return createHash('sha256')
    .update(JSON.stringify([id, password, email]))
    .digest('base64url')
}

function isSessionRow(data: unknown): data is SessionRow {
  return typeof data === 'object' && data !== null && 'userId' in data && 'authTime' in data && 'stamp' in data
}

/** Makes the sign-ins of a server. Rows store the signed-in users: a browser only has an id, so that a logout ends it. */
export function makeSignIns(cookie: SessionCookie, states: StateStore, users: UserDirectory): SignIns {
  const end = async (request: FastifyRequest): Promise<void> => {
    const { id } = cookie.read(request)
    if (id !== undefined) await states.remove(kind, id)
  }
  const hasEnded = async ({ userId, authTime }: SessionRow): Promise<boolean> => {
    const row = await states.read(endKind, String(userId))
    return isPlainObject(row?.data) && Number(row.data['at']) >= authTime
  }
  return {
    find: async (request) => {
      const { id } = cookie.read(request)
      const data = id === undefined ? undefined : (await states.read(kind, id))?.data
      if (id === undefined || !isSessionRow(data)) return undefined
      const [user, isOver] = await Promise.all([users.find(data.userId), hasEnded(data)])
      if (isOver || user === undefined || stampOf(id, user) !== data.stamp) return undefined
      return { userId: user.id, authTime: new Date(data.authTime), user }
    },
    signIn: async (request, reply, { id: userId }) => {
      await end(request)
      const id = randomBytes(32).toString('base64url')
      const user = await users.find(userId)
      const row = { userId, authTime: Date.now(), stamp: stampOf(id, user ?? { id: userId }) }
      await states.add(kind, id, row, new Date(Date.now() + cookie.maxAge * 1000))
      cookie.write(request, reply, { id, csrf: newCsrfSecret() })
    },
    signOut: async (request, reply) => {
      await end(request)
      cookie.write(request, reply, { csrf: newCsrfSecret() })
    },
    signOutEverywhere: async (userId) => {
      const key = String(userId)
      await states.remove(endKind, key)
      await states.add(endKind, key, { at: Date.now() }, new Date(Date.now() + cookie.maxAge * 1000))
    }
  }
}
