import { createHash } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { basic, callback, post } from './make-app.ts'
import { fieldOf, makeBrowser } from './pages/page-app.ts'

export type Browser = ReturnType<typeof makeBrowser>

/** A verifier of PKCE with its challenge. */
export const pkce = {
  verifier: 'a-verifier-of-these-tests-that-has-43-signs-or-more',
  challenge: createHash('sha256').update('a-verifier-of-these-tests-that-has-43-signs-or-more').digest('base64url')
} as const

/** Parameters of an authorization request; undefined leaves one out. */
export type Asked = Readonly<Record<string, string | undefined>>

/** The address of an authorization request with PKCE. */
export function authorizeUrl(clientId: string, asked: Asked = {}): string {
  const all: Asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'read',
    state: 'st',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...asked
  }
  const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return `/oauth/authorize?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}

/** A browser in which somebody has logged in by the form. */
export async function logIn(app: FastifyInstance, username = 'bob', password = `secret-${username}`): Promise<Browser> {
  const browser = makeBrowser(app)
  await browser.logIn({ username, password })
  return browser
}

/** Answers the consent page. */
export async function decide(browser: Browser, page: LightMyRequestResponse, more: Record<string, string> = {}) {
  const transaction_id = fieldOf(page.body, 'transaction_id')
  return browser.post('/oauth/authorize/decision', {
    transaction_id,
    csrf_token: fieldOf(page.body, 'csrf_token'),
    ...more
  })
}

/** Where an answer sends the browser. */
export function locationOf(answer: LightMyRequestResponse): URL {
  return new URL(String(answer.headers.location), 'https://as.example')
}

/** Asks, permits, and gives the address that the client gets. */
export async function permit(browser: Browser, clientId: string, asked: Asked = {}): Promise<URL> {
  const first = await browser.get(authorizeUrl(clientId, asked))
  return locationOf(first.statusCode === 200 ? await decide(browser, first) : first)
}

/** A code that bob has permitted. */
export async function getCode(app: FastifyInstance, clientId: string, asked: Asked = {}): Promise<string> {
  const address = await permit(await logIn(app), clientId, asked)
  const code = address.searchParams.get('code')
  if (code === null) throw new Error(`there is no code in ${address.href}`)
  return code
}

/** Exchanges a code. */
export async function redeem(
  app: FastifyInstance,
  client: { readonly id: string; readonly secret: string },
  code: string,
  more: Readonly<Record<string, string>> = {}
): Promise<LightMyRequestResponse> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: pkce.verifier,
    ...(client.secret === '' ? { client_id: client.id } : {}),
    ...more
  }
  return post(app, '/oauth/token', form, client.secret === '' ? {} : basic(client))
}

/** Tokens of bob. */
export async function getTokens(
  app: FastifyInstance,
  client: { readonly id: string; readonly secret: string },
  asked: Asked = {}
): Promise<{ access_token: string; refresh_token: string; scope?: string; expires_in: number }> {
  return (await redeem(app, client, await getCode(app, client.id, asked))).json()
}

/** Exchanges a refresh token. */
export async function refresh(
  app: FastifyInstance,
  client: { readonly id: string; readonly secret: string },
  refreshToken: string,
  more: Readonly<Record<string, string>> = {}
): Promise<LightMyRequestResponse> {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(client.secret === '' ? { client_id: client.id } : {}),
    ...more
  }
  return post(app, '/oauth/token', form, client.secret === '' ? {} : basic(client))
}

/** True while an access or refresh token works, by introspection. */
export async function isActive(
  app: FastifyInstance,
  client: { readonly id: string; readonly secret: string },
  token: string
): Promise<boolean> {
  const answer = await post(app, '/oauth/introspect', { token }, basic(client))
  return answer.json<{ active: boolean }>().active
}
