import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client } from '../server/clients/client.ts'
import { describeScopes, type ShownClient } from './consent-page.ts'
import { type PageServices, safeReturn, sendView, setBrowserHeaders, sourcesOf } from './show-page.ts'

/** What a user is asked to consent to. */
export interface ConsentRequest {
  readonly transactionId: string
  readonly client: Client
  /** The user's record: `id` and the application's properties. */
  readonly user: Readonly<Record<string, unknown>>
  readonly scopes: readonly string[]
  readonly redirectUri: string
}

type Facts = Readonly<Record<string, unknown>>

function firstText(record: Facts, names: readonly string[]): string | undefined {
  const value = names.map((name) => record[name]).find((text) => typeof text === 'string' && text.trim() !== '')
  return value === undefined ? undefined : String(value)
}

/** A client as shown to users, from its record. */
export function shownClient({ id, name, record }: Client): ShownClient {
  return {
    name: firstText(record, ['clientName', 'name']) ?? (name || id),
    policyUri: record['policyURI'],
    termsUri: record['tosURI']
  }
}

/** The display name of a user. */
export function userName(user: Facts): string {
  return firstText(user, ['name', 'username', 'email']) ?? String(user['id'] ?? '')
}

/** A description of the response's recipient. */
export function destinationOf(redirectUri: string): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined
  const { protocol, host } = new URL(redirectUri)
  return ['http:', 'https:'].includes(protocol) ? host : `an application on this device (${protocol.slice(0, -1)})`
}

/** The query that a page of the application is called with. @see loopback-component-oauth2: lib/oauth2-loopback.js */
function decisionPageUrl(page: string, { transactionId, client, user, scopes, redirectUri }: ConsentRequest): string {
  const query = new URLSearchParams({
    transactionId,
    userId: String(user['id']),
    clientId: client.id,
    scope: scopes.join(' '),
    redirectURI: redirectUri
  })
  return `${page}${page.includes('?') ? '&' : '?'}${query.toString()}`
}

const hiddenOfUsers: ReadonlySet<string> = new Set(['password', 'verificationToken'])

/** What a view may see of a user. */
const visible = (user: Facts): Facts =>
  Object.fromEntries(Object.entries(user).filter(([name]) => !hiddenOfUsers.has(name)))

/** LB3: the variables of a view are those of the original, with what a safe form needs beside them. */
function viewFacts(services: PageServices, csrfToken: string, ask: ConsentRequest): object {
  const { transactionId, client, user, scopes, redirectUri } = ask
  return {
    transactionId,
    user: visible(user),
    client: client.record,
    scopes,
    redirectURI: redirectUri,
    csrfToken,
    action: services.settings.paths.decision
  }
}

/** Shows the consent dialog: a page of the application, its view, or the plugin's own page. */
export async function askConsent(
  services: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: ConsentRequest
): Promise<FastifyReply> {
  const { settings, csrf, show } = services
  const { decisionPage, decisionView } = settings.options
  if (decisionPage !== undefined) return setBrowserHeaders(reply).redirect(decisionPageUrl(decisionPage, ask), 302)
  const csrfToken = csrf.token(request, reply)
  if (decisionView !== undefined) return sendView(reply, decisionView, viewFacts(services, csrfToken, ask))
  const facts = {
    action: settings.paths.decision ?? '',
    csrfToken,
    fields: { transaction_id: ask.transactionId },
    client: shownClient(ask.client),
    userName: userName(ask.user),
    scopes: await describeScopes(services, ask.scopes),
    destination: destinationOf(ask.redirectUri),
    switchAction: settings.paths.logout,
    returnTo: request.method === 'GET' ? safeReturn(request.url) : undefined
  }
  return show(reply, 'consent', facts, { leadsTo: sourcesOf(ask.redirectUri) })
}
