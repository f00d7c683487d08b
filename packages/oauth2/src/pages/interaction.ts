import rateLimit from '@fastify/rate-limit'
import { rateLimitFields, sharedRates } from '@modelwire/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OAuthError, ServerError } from '../errors.ts'
import { addBodyParsers } from '../http/parameters.ts'
import { toOAuthError } from '../http/send-error.ts'
import { askConsent, type ConsentRequest } from './consent.ts'
import { addDevicePages } from './device-pages.ts'
import { addLogin, askLogin } from './login.ts'
import { addLogout } from './logout.ts'
import { checkViews, type PageServices, setBrowserHeaders } from './show-page.ts'

/** Pages and sessions. */
export interface Interaction {
  /** Returns the user signed in in this browser. */
  signedIn(request: FastifyRequest): Promise<{ readonly userId: unknown; readonly authTime: Date } | undefined>
  /** Redirects the browser to log in (loginPage); afterwards it returns to `returnTo` (a path of this server, validated). */
  askLogin(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<FastifyReply>
  /** Shows the consent dialog: the built-in page, decisionView, or a redirect to decisionPage with LoopBack's query. */
  askConsent(request: FastifyRequest, reply: FastifyReply, ask: ConsentRequest): Promise<FastifyReply>
  /** Shows the error page for errors that cannot be redirected: HTML for browsers, else JSON. */
  showError(request: FastifyRequest, reply: FastifyReply, error: OAuthError): Promise<FastifyReply>
  /** @throws when the decision form carries no valid CSRF token (not with `decisionPage` in compat 'loopback') */
  checkCsrf(request: FastifyRequest): void
}

/** Without sessions there is no one to ask. */
const withoutSessions: Pick<Interaction, 'signedIn' | 'askLogin' | 'askConsent' | 'checkCsrf'> = {
  signedIn: async () => undefined,
  askLogin: () => Promise.reject(new ServerError('This server has no sign-in page: the option session is false.')),
  askConsent: () => Promise.reject(new ServerError('This server cannot ask for consent: the option session is false.')),
  checkCsrf: () => undefined
}

/** Makes the pages and sessions that endpoints need. */
export function makeInteraction(services: PageServices): Interaction {
  return {
    signedIn: (request) => services.signIns.find(request),
    askLogin: async (request, reply, returnTo) => askLogin(services, request, reply, returnTo),
    askConsent: (request, reply, ask) => askConsent(services, request, reply, ask),
    showError: async (request, reply, error) => showError(services, request, reply, error),
    checkCsrf: (request) => services.csrf.check(request),
    ...(services.settings.options.session === false ? withoutSessions : {})
  }
}

/** Adds routes of pages in a scope with its own reader of forms and its own answers to errors. */
async function addPageScope(
  app: FastifyInstance,
  services: PageServices,
  addRoutes: (scope: FastifyInstance) => void
): Promise<void> {
  await app.register(async (scope) => {
    await addBodyParsers(scope)
    scope.setErrorHandler((thrown, request, reply) => {
      const error = toOAuthError(thrown)
      if (error.statusCode >= 500) request.log.error({ err: thrown }, 'oauth2: a page failed')
      return showError(services, request, reply, error)
    })
    if (!scope.hasDecorator('rateLimit'))
      await scope.register(rateLimit, { global: false, ...sharedRates(services.registry.shared, 'oauth2') })
    const { rateLimit: limits } = services.settings.options
    if (limits !== false) scope.addHook('onSend', rateLimitFields(limits.timeWindow))
    addRoutes(scope)
  })
}

/** Adds the pages: for signing in and out, and for device codes. Without sessions there are none. */
export async function addPages(app: FastifyInstance, services: PageServices): Promise<void> {
  const { options, paths } = services.settings
  checkViews(app, options)
  if (options.session === false) return
  await addPageScope(app, services, (scope) => {
    addLogin(scope, services)
    addLogout(scope, services)
  })
  const { device } = paths
  if (device !== undefined) await addPageScope(app, services, (scope) => addDevicePages(scope, services, device))
}

/** True for a browser that shows a page; programs get JSON. */
function wantsPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.toLowerCase().includes('text/html') ?? false
}

/** Answers an error of the protocol: a page for browsers, JSON for programs. */
function showError(
  { show }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, message, statusCode, headers }: OAuthError
): FastifyReply {
  void reply.code(statusCode).headers(headers)
  if (wantsPage(request)) return show(reply, 'error', { error, description: message, requestId: request.id })
  return setBrowserHeaders(reply).send({ error, error_description: message })
}
