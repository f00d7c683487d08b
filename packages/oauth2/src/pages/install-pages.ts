import rateLimit from '@fastify/rate-limit'
import { rateLimitFields, sharedRates } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { type CsrfRules, makeCsrfTokens } from '../csrf.ts'
import { ServerError } from '../errors.ts'
import { addBodyParsers } from '../http/body-parsers.ts'
import { toOAuthError } from '../http/send-error.ts'
import type { ReadHint } from '../oidc/id-token-hint.ts'
import type { OAuth2Parts } from '../parts.ts'
import type { Interaction } from '../seams.ts'
import { makeSessionCookie } from '../session.ts'
import type { Settings } from '../settings.ts'
import { makeSignIns } from '../signed-in.ts'
import { askConsent } from './consent.ts'
import { makeLook } from './layout.ts'
import { addLogin, askLogin } from './login.ts'
import { addLogout } from './logout.ts'
import type { PageParts } from './page-parts.ts'
import { showError } from './show-error.ts'
import { checkViews, makeShowPage } from './show-page.ts'

const originOf = (page: string | undefined): readonly string[] =>
  page !== undefined && URL.canParse(page) ? [new URL(page).origin] : []

/** The application's own pages have no CSRF token: the origin that browsers send with a form replaces it. */
function csrfRules({ options, rules, issuer }: Settings): CsrfRules | undefined {
  const { loginPage, decisionPage, decisionView } = options
  if (loginPage === undefined && decisionPage === undefined && (decisionView === undefined || !rules.takesSilentForms))
    return undefined
  return { origins: [issuer, loginPage, decisionPage].flatMap(originOf), allowsSilence: rules.takesSilentForms }
}

/** What a server calls itself whose options do not name it: an address of this machine says nothing to people. */
function nameOf(issuer: string | undefined): string {
  const { host, hostname } = new URL(issuer ?? 'http://localhost')
  return hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname) ? 'Account' : host
}

async function makePageParts(
  app: FastifyInstance,
  parts: OAuth2Parts,
  readHint: ReadHint | undefined
): Promise<PageParts> {
  const { settings, states, users } = parts
  const { pages = {}, decisionView } = settings.options
  const { name = nameOf(settings.issuer), css, views = {} } = pages
  checkViews(app, [decisionView, ...Object.values(views)])
  const cookie = await makeSessionCookie(app, settings)
  return {
    ...parts,
    show: makeShowPage(makeLook(name, css), views),
    cookie,
    csrf: makeCsrfTokens(cookie, csrfRules(settings)),
    signIns: makeSignIns(cookie, states, users),
    readHint
  }
}

/** Without sessions there is no one to ask. */
const withoutSessions: Pick<Interaction, 'signedIn' | 'askLogin' | 'askConsent' | 'checkCsrf'> = {
  signedIn: async () => undefined,
  askLogin: () => Promise.reject(new ServerError('This server has no sign-in page: the option session is false.')),
  askConsent: () => Promise.reject(new ServerError('This server cannot ask for consent: the option session is false.')),
  checkCsrf: () => undefined
}

function makeInteraction(parts: PageParts): Interaction {
  return {
    signedIn: (request) => parts.signIns.find(request),
    askLogin: async (request, reply, returnTo) => askLogin(parts, request, reply, returnTo),
    askConsent: (request, reply, ask) => askConsent(parts, request, reply, ask),
    showError: async (request, reply, error) => showError(parts, request, reply, error),
    checkCsrf: (request) => parts.csrf.check(request)
  }
}

/** Adds routes of pages in a scope with its own reader of forms and its own answers to errors. */
export async function addPageScope(
  app: FastifyInstance,
  parts: PageParts,
  addRoutes: (scope: FastifyInstance) => void
): Promise<void> {
  await app.register(async (scope) => {
    await addBodyParsers(scope)
    scope.setErrorHandler((thrown, request, reply) => {
      const error = toOAuthError(thrown)
      if (error.statusCode >= 500) request.log.error({ err: thrown }, 'oauth2: a page failed')
      return showError(parts, request, reply, error)
    })
    if (!scope.hasDecorator('rateLimit'))
      await scope.register(rateLimit, { global: false, ...sharedRates(parts.registry.shared, 'oauth2') })
    const { rateLimit: limits } = parts.settings.options
    if (limits !== false) scope.addHook('onSend', rateLimitFields(limits.timeWindow))
    addRoutes(scope)
  })
}

/** What pages are set up to. */
export interface InstalledPages {
  readonly interaction: Interaction
  /** Undefined where there are no sessions. */
  readonly pages: PageParts | undefined
}

/** Sets up sessions and pages. @param readHint reads ID tokens; undefined where none are issued */
export async function installPages(
  app: FastifyInstance,
  parts: OAuth2Parts,
  readHint?: ReadHint
): Promise<InstalledPages> {
  const pages = await makePageParts(app, parts, readHint)
  const interaction = makeInteraction(pages)
  if (parts.settings.options.session === false)
    return { interaction: { ...interaction, ...withoutSessions }, pages: undefined }
  await addPageScope(app, pages, (scope) => {
    addLogin(scope, pages)
    addLogout(scope, pages)
  })
  return { interaction, pages }
}
