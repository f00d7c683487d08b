import type { ModelRegistry } from '@modelwire/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { OptionMissing } from '../errors.ts'
import type { GuessLimits } from '../http/limits.ts'
import type { ReadHint } from '../oidc/id-token.ts'
import type { OAuth2Settings } from '../options/oauth2-options.ts'
import type { Settings } from '../options/settings.ts'
import type { ClientDirectory } from '../server/clients/client-directory.ts'
import type { DeviceCodes } from '../server/store/device-codes.ts'
import type { UserDirectory } from '../server/store/user-directory.ts'
import type { CsrfTokens, SessionCookie } from './browser-session.ts'
import { consentPage } from './consent-page.ts'
import { type Look, makeLook } from './layout.ts'
import type { SignIns } from './sign-ins.ts'
import { devicePage, donePage, errorPage, loginPage, logoutPage } from './simple-pages.ts'

/** The dependencies of pages. */
export interface PageServices {
  readonly registry: ModelRegistry
  readonly settings: Settings
  readonly clients: ClientDirectory
  readonly users: UserDirectory
  readonly guesses: GuessLimits
  readonly deviceCodes: DeviceCodes
  /** Reads ID tokens that clients send back; undefined if none are issued. */
  readonly readHint: ReadHint | undefined
  readonly cookie: SessionCookie
  readonly csrf: CsrfTokens
  readonly signIns: SignIns
  readonly show: ShowPage
}

// Only used as a base: it is never requested.
const here = 'http://here.invalid'

// Addresses in requests are written in these signs; browsers read a backslash as a slash.
const hasOddSigns = (text: string): boolean => !/^[!-~]+$/.test(text) || text.includes('\\')

/** The content security rules of a page. */
interface PageRules {
  /** Sources, in addition to this server, to which a form of the page may redirect. */
  readonly leadsTo?: readonly string[]
}

/** Sets the headers of everything that a browser shows or follows: not cached, no referrer. */
export function setBrowserHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
}

/**
 * Sends a page. It loads nothing, runs nothing, and stands in no frame.
 * @see RFC 9700 section 4.16, clickjacking
 */
function sendPage(reply: FastifyReply, look: Look, page: string, { leadsTo = [] }: PageRules = {}): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${look.cssSource}`,
    `form-action ${["'self'", ...leadsTo].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ]
  return setBrowserHeaders(reply)
    .header('content-security-policy', policy.join('; '))
    .header('x-frame-options', 'DENY')
    .type('text/html; charset=utf-8')
    .send(page)
}

/** Any http or https source, for forms that lead to an unknown client. */
export const anywhere: readonly string[] = ['https:', 'http:']

/**
 * Sources of a policy for a form whose response redirects the browser to a client. Browsers apply the policy to all
 * subsequent redirects, including those that the client makes from host to host: only the scheme of the URL can be given.
 */
export function sourcesOf(address: unknown): readonly string[] {
  if (typeof address !== 'string' || !URL.canParse(address)) return anywhere
  const { protocol } = new URL(address)
  if (protocol === 'http:') return anywhere
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) ? [protocol] : anywhere
}

/**
 * A path of this server with its query, normalized; undefined for everything that could lead elsewhere: URLs with a host,
 * `//host`, `/\host`, other schemes, and control characters that browsers ignore.
 */
export function safeReturn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || hasOddSigns(value) || !URL.canParse(value, here))
    return undefined
  const { origin, pathname, search } = new URL(value, here)
  // What remains of `/.//host` is `//host`.
  return origin === here && !pathname.startsWith('//') ? pathname + search : undefined
}

const pages = {
  login: loginPage,
  consent: consentPage,
  error: errorPage,
  device: devicePage,
  logout: logoutPage,
  done: donePage
} as const

/** Name of a page. */
type PageName = keyof typeof pages

/** The values of each page: for the plugin's own functions, and for views of the application. */
type PageFacts = { readonly [Name in PageName]: Parameters<(typeof pages)[Name]>[1] }

/** Sends a page. The status is the reply's. */
export type ShowPage = <Name extends PageName>(
  reply: FastifyReply,
  name: Name,
  facts: PageFacts[Name],
  rules?: PageRules
) => FastifyReply

const builtIn: { readonly [Name in PageName]: (look: Look, facts: PageFacts[Name]) => string } = pages

/** Renders a view of the application: it may load any resources, but must not be framed or cached. */
export function sendView(reply: FastifyReply, view: string, facts: object): FastifyReply {
  const headed = setBrowserHeaders(reply)
    .header('content-security-policy', "frame-ancestors 'none'")
    .header('x-frame-options', 'DENY')
  const render: unknown = Reflect.get(headed, 'view')
  if (typeof render !== 'function') throw new OptionMissing(`the view ${view} requires @fastify/view`)
  render.call(headed, view, facts)
  return headed
}

/** What a server calls itself whose options do not name it: an address of this machine says nothing to people. */
function nameOf(issuer: string | undefined): string {
  const { host, hostname } = new URL(issuer ?? 'http://localhost')
  return hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname) ? 'Account' : host
}

/** Makes the function that shows pages: those of the plugin, or views of the application. */
export function makeShowPage({ options, issuer }: Settings): ShowPage {
  const { name = nameOf(issuer), css, views: own = {} } = options.pages ?? {}
  const views: Readonly<Partial<Record<PageName, string>>> = own
  const look = makeLook(name, css)
  return (reply, page, facts, rules) => {
    const view = views[page]
    if (view !== undefined) return sendView(reply, view, { ...facts, name: look.name })
    return sendPage(reply, look, builtIn[page](look, facts), rules)
  }
}

/**
 * Refuses to start if views are named but nothing renders them.
 * @throws {OptionMissing} (at the start)
 */
export function checkViews(app: FastifyInstance, options: OAuth2Settings): void {
  const named = [options.decisionView, ...Object.values(options.pages?.views ?? {})].filter(
    (view) => view !== undefined
  )
  if (named.length === 0) return
  app.addHook('onReady', async () => {
    if (!app.hasReplyDecorator('view')) throw new OptionMissing(`the view ${named.join(', ')} requires @fastify/view`)
  })
}
