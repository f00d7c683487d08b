import { hkdfSync, randomBytes } from 'node:crypto'
import { Tokens } from '@fastify/csrf'
import secureSession from '@fastify/secure-session'
import { fillDefaults, InvalidOption, senderOf, type WithDefaults } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CsrfTokenInvalid } from '../errors.ts'
import { bodyParameters } from '../http/parameters.ts'
import { SessionSchema } from '../options/page-options.ts'
import type { Settings } from '../options/settings.ts'

/** The encrypted contents of a browser's cookie: ids, and where to go after a login on a custom page. */
export interface BrowserSession {
  /** Id of the signed-in user's row. */
  readonly id?: string
  /** The secret of this browser's CSRF tokens. */
  readonly csrf?: string
  readonly returnTo?: string
}

/** Reads and writes the cookie. */
export interface SessionCookie {
  /** Seconds from login to expiry. */
  readonly maxAge: number
  /** Reads it; empty if there is no cookie, or not one that this server wrote. */
  read(request: FastifyRequest): BrowserSession
  write(request: FastifyRequest, reply: FastifyReply, session: BrowserSession): void
}

const keyLength = 32

type SessionOptions = WithDefaults<typeof SessionSchema>

function toKey(value: unknown): Buffer {
  const key = typeof value === 'string' ? Buffer.from(value, 'base64') : value
  if (Buffer.isBuffer(key) && key.length === keyLength) return key
  throw new InvalidOption(`the option session.key of oauth2 must have ${keyLength} bytes, or be a list of such keys`)
}

const fromSecret = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'modelwire', 'oauth2 session cookie', keyLength))

function keysOf({ key, secret }: SessionOptions, warn: (message: string) => void): Buffer[] {
  if (key !== undefined) return (Array.isArray(key) ? key : [key]).map(toKey)
  if (secret !== undefined) return [secret].flat().map(fromSecret)
  warn('oauth2 has no session.secret: sessions end with this process, and are unknown to other processes')
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

/**
 * Makes the encrypted session cookie.
 * @throws {InvalidOption} a key has not 32 bytes
 */
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

/** Tokens that tie a form to the browser in which it was shown. */
export interface CsrfTokens {
  /** Returns a token for a form. Starts a session if the browser has none. */
  token(request: FastifyRequest, reply: FastifyReply): string
  /** @throws {CsrfTokenInvalid} the form was not shown in this browser */
  check(request: FastifyRequest): void
}

/** How strictly forms are checked. */
interface CsrfRules {
  /** Origins of the application's own pages, whose forms need no token if the browser sends their origin. */
  readonly origins: readonly string[]
  /** Accepts a request without an origin, which no browser sent. */
  readonly allowsSilence: boolean
}

/** Generates a secret for the tokens of one browser. */
export const newCsrfSecret = (): string => new Tokens({ userInfo: false }).secretSync()

/** True for a form from this server or a page of the application. */
function isFromOwnPage(request: FastifyRequest, { origins, allowsSilence }: CsrfRules): boolean {
  const sender = senderOf(request, origins)
  return sender === 'own' || (sender === 'program' && allowsSilence)
}

/**
 * True for a form of another site, which browsers send without the cookie: a response that sets a new one would end the
 * browser's session.
 */
export const isOfOtherSite = (request: FastifyRequest): boolean => senderOf(request) === 'foreign'

const originOf = (page: string | undefined): readonly string[] =>
  page !== undefined && URL.canParse(page) ? [new URL(page).origin] : []

/** The application's own pages have no CSRF token: the origin that browsers send with a form replaces it. */
function csrfRules({ options, rules, issuer }: Settings): CsrfRules | undefined {
  const { loginPage, decisionPage, decisionView } = options
  if (loginPage === undefined && decisionPage === undefined && (decisionView === undefined || !rules.takesSilentForms))
    return undefined
  return { origins: [issuer, loginPage, decisionPage].flatMap(originOf), allowsSilence: rules.takesSilentForms }
}

/** Makes the tokens. If all pages are the plugin's own, a token is always required. */
export function makeCsrfTokens(cookie: SessionCookie, settings: Settings): CsrfTokens {
  const rules = csrfRules(settings)
  const tokens = new Tokens({ userInfo: false })
  const isRight = (request: FastifyRequest): boolean => {
    const { csrf } = cookie.read(request)
    const token = bodyParameters(request).one('csrf_token')
    return csrf !== undefined && token !== undefined && tokens.verify(csrf, token)
  }
  return {
    token: (request, reply) => {
      const session = cookie.read(request)
      const csrf = session.csrf ?? newCsrfSecret()
      if (session.csrf === undefined) cookie.write(request, reply, { ...session, csrf })
      return tokens.create(csrf)
    },
    check: (request) => {
      if (isRight(request) || (rules !== undefined && isFromOwnPage(request, rules))) return
      throw new CsrfTokenInvalid('the form was shown in another browser, or too long ago')
    }
  }
}
