import { ModelRegistry } from '@modelwire/core'
import { fillDefaults } from '@modelwire/server'
import Fastify, { type FastifyInstance, type FastifyServerOptions, type LightMyRequestResponse } from 'fastify'
import { addBodyParsers } from '#src/http/parameters.ts'
import { type OAuth2Options, OAuth2OptionsSchema } from '#src/options/oauth2-options.ts'
import type { UserFacts } from '#src/options/option-functions.ts'
import { resolveSettings } from '#src/options/settings.ts'
import type { ConsentRequest } from '#src/pages/consent.ts'
import { addPages, type Interaction } from '#src/pages/interaction.ts'
import { makeServerServices, type Services } from '#src/container.ts'
import type { Client } from '#src/server/clients/client.ts'
import { grantTable } from '#src/server/grants/grant-table.ts'
import type { StateRow, StateStore } from '#src/server/store/states.ts'

type User = { id: number; username: string; email: string; password: string; name?: string }

/** Rows in memory. */
export function makeStates(): StateStore & { readonly rows: Map<string, StateRow> } {
  const rows = new Map<string, StateRow>()
  const living = (key: string) => {
    const row = rows.get(key)
    return row !== undefined && row.expiresAt > new Date() ? row : undefined
  }
  return {
    rows,
    add: async (kind, key, data, expiresAt) => {
      if (rows.has(`${kind}:${key}`)) return false
      rows.set(`${kind}:${key}`, { data: JSON.parse(JSON.stringify(data)), state: 'new', expiresAt })
      return true
    },
    read: async (kind, key) => living(`${kind}:${key}`),
    change: async (kind, key, from, to, data) => {
      const row = living(`${kind}:${key}`)
      if (row?.state !== from) return false
      rows.set(`${kind}:${key}`, { ...row, state: to, data: data ?? row.data })
      return true
    },
    remove: async (kind, key) => void rows.delete(`${kind}:${key}`)
  }
}

export const client: Client = {
  id: 'printer',
  name: 'Photo Printer',
  isPublic: false,
  isDisabled: false,
  authMethods: [],
  redirectUris: ['https://printer.example/cb'],
  postLogoutRedirectUris: [],
  grantTypes: [],
  responseTypes: [],
  scopes: [],
  record: { id: 'printer', name: 'Photo Printer' }
}

export interface PageApp {
  readonly app: FastifyInstance
  readonly users: User[]
  readonly states: ReturnType<typeof makeStates>
}

/** What the tests change about a server of pages. */
export interface PageSetUp {
  readonly options?: OAuth2Options
  readonly ask?: Partial<ConsentRequest>
  readonly server?: FastifyServerOptions
  readonly before?: (app: FastifyInstance) => Promise<void>
  readonly verify?: Services['users']['verify']
  readonly states?: ReturnType<typeof makeStates>
}

/** Stands in for the endpoints around the pages. */
async function addEndpoints(app: FastifyInstance, interaction: Interaction, ask: PageSetUp['ask']): Promise<void> {
  const usual = { transactionId: 't1', client, scopes: ['openid', 'orders'], redirectUri: 'https://printer.example/cb' }
  app.get('/oauth/authorize', async (request, reply) => {
    const signedIn = await interaction.signedIn(request)
    if (signedIn === undefined) return interaction.askLogin(request, reply, request.url)
    const user = { id: signedIn.userId, username: 'ann', password: 'hash-1' }
    return interaction.askConsent(request, reply, { ...usual, user, ...ask })
  })
  await app.register(async (scope) => {
    await addBodyParsers(scope)
    scope.setErrorHandler((error, request, reply) => interaction.showError(request, reply, error as never))
    scope.post('/oauth/authorize/decision', async (request, reply) => {
      interaction.checkCsrf(request)
      return reply.redirect('https://printer.example/cb?code=1')
    })
  })
}

/** A server of pages alone. */
export async function buildPageApp(setUp: PageSetUp = {}): Promise<PageApp> {
  const app = Fastify(setUp.server)
  await setUp.before?.(app)
  const users: User[] = [{ id: 1, username: 'ann', email: 'ann@shop.org', password: 'hash-1' }]
  const states = setUp.states ?? makeStates()
  const find = async (id: unknown): Promise<UserFacts | undefined> => users.find((user) => user.id === id)
  const verify = async (name: string, password: string): Promise<UserFacts | undefined> =>
    users.find((user) => password === 'secret' && [user.username, user.email].includes(name))
  const options = { session: { secret: 'a secret of more than thirty-two signs' }, ...setUp.options }
  const settings = resolveSettings(fillDefaults(OAuth2OptionsSchema, options), grantTable)
  // The pages use these services alone.
  const services = {
    registry: new ModelRegistry(),
    names: { users: 'User' },
    settings,
    states,
    users: { find, verify: setUp.verify ?? verify, findByName: async () => undefined, isNameOfOne: async () => true },
    log: app.log
  } as unknown as Services
  const server = await makeServerServices(app, services)
  await addPages(app, server)
  await addEndpoints(app, server.interaction, setUp.ask)
  return { app, users, states }
}

/** A browser: keeps cookies, follows nothing. */
export function makeBrowser(app: FastifyInstance) {
  const cookies = new Map<string, string>()
  const send = async (method: 'GET' | 'POST', url: string, fields?: Record<string, string> | string, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const payload = typeof fields === 'object' ? new URLSearchParams(fields).toString() : fields
    const response = await app.inject({
      method,
      url,
      ...(payload === undefined ? {} : { payload }),
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers
      }
    })
    for (const { name, value } of response.cookies) cookies.set(name, encodeURIComponent(value))
    return response
  }
  const get = (url: string, headers?: object) => send('GET', url, undefined, headers)
  const post = (url: string, fields: Record<string, string> | string, headers?: object) =>
    send('POST', url, fields, headers)
  const logIn = async (fields: Record<string, string> = {}): Promise<LightMyRequestResponse> => {
    const csrf_token = fieldOf((await get('/login')).body, 'csrf_token')
    return post('/login', { csrf_token, username: 'ann', password: 'secret', ...fields })
  }
  return { cookies, get, post, logIn }
}

/** The value of a hidden field of a page. */
export function fieldOf(page: string, name: string): string {
  const [, value = ''] = new RegExp(`name="${name}" value="([^"]*)"`).exec(page) ?? []
  return value.replaceAll('&amp;', '&')
}
