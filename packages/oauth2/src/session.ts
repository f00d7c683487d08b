import { hkdfSync, randomBytes } from 'node:crypto'
import secureSession from '@fastify/secure-session'
import { fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/core/plugin'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SessionSchema } from './options/page-options.ts'
import type { Settings } from './settings.ts'

/** What the cookie of a browser holds, encrypted: ids, and where to go after a login on a page of the application's own. */
export interface BrowserSession {
  /** Id of the row of the signed-in user. */
  readonly id?: string
  /** What CSRF tokens of this browser are made of. */
  readonly csrf?: string
  readonly returnTo?: string
}

/** Reads and writes the cookie. */
export interface SessionCookie {
  /** Seconds from a login to its end. */
  readonly maxAge: number
  /** Empty where there is no cookie, or none that this server wrote. */
  read(request: FastifyRequest): BrowserSession
  write(request: FastifyRequest, reply: FastifyReply, session: BrowserSession): void
}

const keyLength = 32

type SessionOptions = WithDefaults<typeof SessionSchema>

function toKey(value: unknown): Buffer {
  const key = typeof value === 'string' ? Buffer.from(value, 'base64') : value
  if (Buffer.isBuffer(key) && key.length === keyLength) return key
  throw new InvalidOption(`the option session.key of oauth2 needs ${keyLength} bytes, or a list of such keys`)
}

const fromSecret = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'modelwire', 'oauth2 session cookie', keyLength))

function keysOf({ key, secret }: SessionOptions, warn: (message: string) => void): Buffer[] {
  if (key !== undefined) return (Array.isArray(key) ? key : [key]).map(toKey)
  if (secret !== undefined) return [secret].flat().map(fromSecret)
  warn('oauth2 has no session.secret: sessions end with this process, and no other process knows them')
  return [randomBytes(keyLength)]
}

const flags = { path: '/', httpOnly: true, sameSite: 'lax' } as const

/** The texts that we wrote. */
function readSession(data: Readonly<Record<string, unknown>>): BrowserSession {
  const { id, csrf, returnTo } = data
  return {
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof csrf === 'string' ? { csrf } : {}),
    ...(typeof returnTo === 'string' ? { returnTo } : {})
  }
}

/** The parts of @fastify/secure-session that encrypt. It is registered in a scope of its own: no hook runs for other routes. */
async function makeCodec(app: FastifyInstance, key: Buffer[], expiry: number): Promise<{ scope: FastifyInstance }> {
  const scopes: FastifyInstance[] = []
  await app.register(async (scope) => {
    await scope.register(secureSession, { key, expiry, sessionName: 'oauth2Session' })
    scopes.push(scope)
  })
  // An instance is a thenable: a promise of one by itself would wait for it.
  return { scope: scopes[0] ?? app }
}

/** Makes the encrypted cookie of sessions. @throws {InvalidOption} a key has not 32 bytes */
export async function makeSessionCookie(app: FastifyInstance, settings: Settings): Promise<SessionCookie> {
  const { session = {} } = settings.options
  const filled = fillDefaults(SessionSchema, typeof session === 'object' ? session : {})
  const { maxAge } = filled
  const isTls = filled.secure ?? settings.issuer?.startsWith('https:') ?? false
  const name = filled.cookieName ?? (isTls ? '__Host-oauth2' : 'oauth2')
  const { scope } = await makeCodec(
    app,
    keysOf(filled, (message) => app.log.warn(message)),
    maxAge
  )
  const opened = new WeakMap<FastifyRequest, BrowserSession>()
  const decode = ({ headers, log }: FastifyRequest): BrowserSession => {
    const text = scope.parseCookie(headers.cookie ?? '')[name]
    const data = text === undefined ? undefined : scope.decodeSecureSession(text, log)?.data()
    return data === undefined ? {} : readSession({ ...data })
  }
  return {
    maxAge,
    read: (request) => opened.get(request) ?? decode(request),
    write: (request, reply, next) => {
      opened.set(request, next)
      const text = scope.encodeSecureSession(scope.createSecureSession({ ...next }))
      const secure = filled.secure ?? (isTls || request.protocol === 'https')
      const lives = next.id === undefined ? {} : { maxAge: Math.ceil(maxAge) }
      setCookie(reply, name, scope.serializeCookie(name, text, { ...flags, secure, ...lives }))
    }
  }
}

/** Sets a cookie in place of one with the same name that was set for this answer already. */
function setCookie(reply: FastifyReply, name: string, cookie: string): void {
  const set = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  void reply.removeHeader('set-cookie')
  void reply.header('set-cookie', [...set.filter((other) => !other.startsWith(`${name}=`)), cookie])
}
