import { fileURLToPath } from 'node:url'
import { createServer } from '@modelwire/boot'
import type { Models } from '@modelwire/core'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { seed } from '#src/seed.ts'
import { buildServer } from '#src/server.ts'

const folder = fileURLToPath(new URL('../folder', import.meta.url))

/** The same help desk in both styles. */
const styles: Readonly<Record<string, () => Promise<FastifyInstance>>> = {
  'of TypeScript': () => buildServer(),
  'of a folder': () => createServer({ dir: folder })
}

interface Desk {
  readonly app: FastifyInstance & { readonly models: Models }
  readonly secret: string
  /** Sends a request as an agent. */
  readonly as: (name: string) => Promise<Send>
}

type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
  headers?: object
) => Promise<Answer>

interface Answer {
  readonly status: number
  // What a test expects of a body it says itself.
  readonly body: any // oxlint-disable-line no-explicit-any
  readonly headers: Readonly<Record<string, unknown>>
}

async function start(t: Test, build: () => Promise<FastifyInstance>): Promise<Desk> {
  const app = await build()
  t.teardown(() => app.close())
  const secret = await seed(app)
  const as = async (name: string): Promise<Send> => {
    const payload = { email: `${name}@example.org`, password: 'a quiet evening' }
    const login = await app.inject({ method: 'POST', url: '/api/Agents/login', payload })
    const authorization = `Bearer ${login.json<{ id: string }>().id}`
    return async (method, path, data, headers) => {
      const request: InjectOptions = { method, url: `/api${path}`, headers: { authorization, ...headers } }
      const answer = await app.inject(data === undefined ? request : { ...request, payload: data })
      const body: unknown = answer.body === '' ? undefined : answer.json()
      return { status: answer.statusCode, body, headers: answer.headers }
    }
  }
  return { app, secret, as }
}

const filter = (value: object): string => `?filter=${encodeURIComponent(JSON.stringify(value))}`

type Check = (t: Test, build: () => Promise<FastifyInstance>) => Promise<void>

const keepsTenantsApart: Check = async (t, build) => {
  const { as } = await start(t, build)
  const [ann, bob, eve] = [await as('ann'), await as('bob'), await as('eve')]
  const made = await ann('POST', '/Tickets', { subject: 'The printer is on fire', tenantId: 1, priority: 1 })
  t.equal(made.status, 200)
  const path = `/Tickets/${made.body.id}`
  t.equal((await bob('GET', path)).body.subject, 'The printer is on fire')
  t.equal((await eve('GET', path)).status, (await eve('GET', '/Tickets/9999')).status)
  t.equal((await eve('GET', '/Tickets')).body.length, 1)
  t.not((await eve('POST', '/Tickets', { subject: 'Planted', tenantId: 1 })).status, 200)
  t.not((await eve('POST', `${path}/comments`, { text: 'hello' })).status, 200)
  t.same((await eve('GET', '/Agents')).body, [{ id: 3, name: 'eve' }])
  t.equal((await eve('GET', `/Tickets${filter({ where: { 'tenant.name': 'Birch Ltd' } })}`)).body.length ?? 0, 0)
}

const keepsCommentsAndTags: Check = async (t, build) => {
  const { as } = await start(t, build)
  const [ann, bob] = [await as('ann'), await as('bob')]
  const { body: ticket } = await ann('POST', '/Tickets', { subject: 'No paper', tenantId: 1 })
  const claimed = await bob('POST', `/Tickets/${ticket.id}/comments`, { text: 'Buy one', agentId: 1 })
  t.not(claimed.status, 200, 'nobody writes in the name of somebody else')
  const comment = await bob('POST', `/Tickets/${ticket.id}/comments`, { text: 'Try the other tray' })
  t.equal(comment.body.agentId, 2)
  t.not((await ann('DELETE', `/Comments/${comment.body.id}`)).status, 200)
  t.equal((await bob('PUT', `/Tickets/${ticket.id}/tags/rel/2`)).status, 200)
  const found = await ann('GET', `/Tickets/${ticket.id}${filter({ include: ['tags', 'comments'] })}`)
  t.match(found.body, { tags: [{ name: 'printer' }], comments: [{ text: 'Try the other tray' }] })
  t.equal((await bob('DELETE', `/Comments/${comment.body.id}`)).status, 200)
}

const refusesLostRaces: Check = async (t, build) => {
  const { as } = await start(t, build)
  const [ann, bob] = [await as('ann'), await as('bob')]
  const etag = (await ann('GET', '/Tickets/1')).headers['etag']
  t.equal((await bob('PATCH', '/Tickets/1', { minutes: 7 })).status, 428, 'a change names the version it is of')
  t.equal((await bob('PATCH', '/Tickets/1', { minutes: 7 }, { 'if-match': etag })).status, 200)
  t.equal((await ann('PATCH', '/Tickets/1', { status: 'open' }, { 'if-match': etag })).status, 412)
  t.match((await ann('GET', '/Tickets/1')).body, { minutes: 7, status: 'closed' })
}

const listsInPages: Check = async (t, build) => {
  const { app, as } = await start(t, build)
  const subjects = Array.from({ length: 45 }, (_, at) => ({
    subject: `Ticket ${at}`,
    tenantId: 1,
    priority: (at % 3) + 1
  }))
  await app.models.get('Ticket').create(subjects)
  const ann = await as('ann')
  const seen: number[] = []
  let query: string | undefined = filter({ order: ['priority', 'opened DESC'] })
  while (query !== undefined) {
    const page = await ann('GET', `/Tickets${query}`, undefined, { prefer: 'links, count=exact' })
    t.equal(page.headers['x-total-count'], '46')
    seen.push(...page.body.map(({ id }: { id: number }) => id))
    query = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1]
  }
  t.equal(new Set(seen).size, 46)
  t.equal(seen.length, 46)
  t.equal((await ann('GET', `/Tickets${filter({ limit: 101 })}`)).body.error.code, 'LIMIT_EXCEEDED')
  t.equal((await ann('GET', '/Tickets?fliter={}')).status, 400, 'what is misspelt is not ignored')
}

const addsUp: Check = async (t, build) => {
  const { app, secret, as } = await start(t, build)
  await app.models.get('Ticket').create([
    { subject: 'One', tenantId: 1, minutes: 30 },
    { subject: 'Two', tenantId: 1, minutes: 20 },
    { subject: 'Three', tenantId: 2, minutes: 40 }
  ])
  const sums = `/Tickets/aggregate${filter({ group: ['status'], count: true, sum: 'minutes', order: 'status' })}`
  const eve = await as('eve')
  t.same((await eve('GET', sums)).body, [
    { status: 'closed', count: 1, sum_minutes: 5 },
    { status: 'open', count: 1, sum_minutes: 40 }
  ])
  const basic = `Basic ${Buffer.from(`wallboard:${secret}`).toString('base64')}`
  const granted = await app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials&scope=tickets:sum'
  })
  const headers = { authorization: `Bearer ${granted.json<{ access_token: string }>().access_token}` }
  const all = await app.inject({ url: `/api${sums}`, headers })
  t.same(all.json(), [
    { status: 'closed', count: 2, sum_minutes: 10 },
    { status: 'open', count: 3, sum_minutes: 90 }
  ])
  t.not((await app.inject({ url: '/api/Tickets', headers })).statusCode, 200, 'it sees no ticket')
  t.equal((await app.inject(`/api${sums}`)).statusCode, 401)
}

const checks: Readonly<Record<string, Check>> = {
  'a tenant sees nothing of another one': keepsTenantsApart,
  'comments and tags': keepsCommentsAndTags,
  'of two agents who change one ticket the second is told': refusesLostRaces,
  'tickets come in pages': listsInPages,
  'sums are those of the tenant, and of all for the client on the wall': addsUp
}

for (const [style, build] of Object.entries(styles))
  for (const [title, check] of Object.entries(checks))
    void t.test(`${title}, in the style ${style}`, async (t) => check(t, build))
