import { fileURLToPath } from 'node:url'
import type { LightMyRequestResponse } from 'fastify'
import { testServer, type TestServer, type TestUser } from 'modelwire/testing'
import t, { type Test } from 'tap'
import { buildServer } from '#src/server.ts'

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** The same help desk in both styles. */
const styles: Readonly<Record<string, string | typeof buildServer>> = {
  'of TypeScript': buildServer,
  'of a folder': pathOf('folder')
}

interface Desk {
  readonly app: TestServer
  readonly ann: TestUser
  /** Of the tenant of ann. */
  readonly bob: TestUser
  /** Of another tenant. */
  readonly eve: TestUser
}

async function start(t: Test, style: string | typeof buildServer): Promise<Desk> {
  const app = await testServer(style, { seeds: pathOf('seeds') })
  t.teardown(app.close)
  const agent = (name: string): Promise<TestUser> => app.user({ email: `${name}@example.org` })
  return { app, ann: await agent('ann'), bob: await agent('bob'), eve: await agent('eve') }
}

// What a test expects of a body it says itself.
const bodyOf = (answer: LightMyRequestResponse): any => answer.json() // oxlint-disable-line no-explicit-any

const filter = (value: object): string => `?filter=${encodeURIComponent(JSON.stringify(value))}`

type Check = (t: Test, desk: Desk) => Promise<void>

const keepsTenantsApart: Check = async (t, { ann, bob, eve }) => {
  const made = await ann.post('/api/Tickets', { subject: 'The printer is on fire', tenantId: 1, priority: 1 })
  t.equal(made.statusCode, 200)
  const path = `/api/Tickets/${bodyOf(made).id}`
  t.equal(bodyOf(await bob.get(path)).subject, 'The printer is on fire')
  t.equal((await eve.get(path)).statusCode, (await eve.get('/api/Tickets/9999')).statusCode)
  t.equal(bodyOf(await eve.get('/api/Tickets')).length, 1)
  t.not((await eve.post('/api/Tickets', { subject: 'Planted', tenantId: 1 })).statusCode, 200)
  t.not((await eve.post(`${path}/comments`, { text: 'hello' })).statusCode, 200)
  t.same(bodyOf(await eve.get('/api/Agents')), [{ id: 3, name: 'eve' }])
  const found = bodyOf(await eve.get(`/api/Tickets${filter({ where: { 'tenant.name': 'Birch Ltd' } })}`))
  t.equal(found.length ?? 0, 0)
}

const keepsCommentsAndTags: Check = async (t, { ann, bob }) => {
  const ticket = bodyOf(await ann.post('/api/Tickets', { subject: 'No paper', tenantId: 1 }))
  const claimed = await bob.post(`/api/Tickets/${ticket.id}/comments`, { text: 'Buy one', agentId: 1 })
  t.not(claimed.statusCode, 200, 'nobody writes in the name of somebody else')
  const comment = bodyOf(await bob.post(`/api/Tickets/${ticket.id}/comments`, { text: 'Try the other tray' }))
  t.equal(comment.agentId, 2)
  t.not((await ann.delete(`/api/Comments/${comment.id}`)).statusCode, 200)
  t.equal((await bob.put(`/api/Tickets/${ticket.id}/tags/rel/2`)).statusCode, 200)
  const found = await ann.get(`/api/Tickets/${ticket.id}${filter({ include: ['tags', 'comments'] })}`)
  t.match(bodyOf(found), { tags: [{ name: 'printer' }], comments: [{ text: 'Try the other tray' }] })
  t.equal((await bob.delete(`/api/Comments/${comment.id}`)).statusCode, 200)
}

const refusesLostRaces: Check = async (t, { ann, bob }) => {
  const { etag = '' } = (await ann.get('/api/Tickets/1')).headers
  const version = { 'if-match': etag }
  t.equal((await bob.patch('/api/Tickets/1', { minutes: 7 })).statusCode, 428, 'a change names the version it is of')
  t.equal((await bob.patch('/api/Tickets/1', { minutes: 7 }, version)).statusCode, 200)
  t.equal((await ann.patch('/api/Tickets/1', { status: 'open' }, version)).statusCode, 412)
  t.match(bodyOf(await ann.get('/api/Tickets/1')), { minutes: 7, status: 'closed' })
}

const listsInPages: Check = async (t, { app, ann }) => {
  const subjects = Array.from({ length: 45 }, (_, at) => ({
    subject: `Ticket ${at}`,
    tenantId: 1,
    priority: (at % 3) + 1
  }))
  await app.models.get('Ticket').create(subjects)
  const seen: number[] = []
  let query: string | undefined = filter({ order: ['priority', 'opened DESC'] })
  while (query !== undefined) {
    const page = await ann.get(`/api/Tickets${query}`, { prefer: 'links, count=exact' })
    t.equal(page.headers['x-total-count'], '46')
    seen.push(...bodyOf(page).map(({ id }: { id: number }) => id))
    query = /<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1]
  }
  t.equal(new Set(seen).size, 46)
  t.equal(seen.length, 46)
  t.equal(bodyOf(await ann.get(`/api/Tickets${filter({ limit: 101 })}`)).error.code, 'LIMIT_EXCEEDED')
  t.equal((await ann.get('/api/Tickets?fliter={}')).statusCode, 400, 'what is misspelt is not ignored')
}

const addsUp: Check = async (t, { app, eve }) => {
  await app.models.get('Ticket').create([
    { subject: 'One', tenantId: 1, minutes: 30 },
    { subject: 'Two', tenantId: 1, minutes: 20 },
    { subject: 'Three', tenantId: 2, minutes: 40 }
  ])
  const sums = `/api/Tickets/aggregate${filter({ group: ['status'], count: true, sum: 'minutes', order: 'status' })}`
  t.same(bodyOf(await eve.get(sums)), [
    { status: 'closed', count: 1, sum_minutes: 5 },
    { status: 'open', count: 1, sum_minutes: 40 }
  ])
  const wallboard = await app.oauthToken({ client: 'wallboard', scopes: ['tickets:sum'] })
  t.same(bodyOf(await wallboard.get(sums)), [
    { status: 'closed', count: 2, sum_minutes: 10 },
    { status: 'open', count: 3, sum_minutes: 90 }
  ])
  t.not((await wallboard.get('/api/Tickets')).statusCode, 200, 'it sees no ticket')
  t.equal((await app.get(sums)).statusCode, 401)
}

const checks: Readonly<Record<string, Check>> = {
  'a tenant sees nothing of another one': keepsTenantsApart,
  'comments and tags': keepsCommentsAndTags,
  'of two agents who change one ticket the second is told': refusesLostRaces,
  'tickets come in pages': listsInPages,
  'sums are those of the tenant, and of all for the client on the wall': addsUp
}

for (const [style, app] of Object.entries(styles))
  for (const [title, check] of Object.entries(checks))
    void t.test(`${title}, in the style ${style}`, async (t) => check(t, await start(t, app)))
