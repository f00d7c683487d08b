import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'

/** Where the connector of the tests is, and its database. */
export interface RaceTestsOptions {
  /** The address of the module that exports the connector, as `import.meta.resolve` gives it. */
  readonly module: string
  /** What it exports: `postgresql`. */
  readonly name: string
  readonly url: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Sends to one process and the other in turn. */
type Send = (at: number, method: string, path: string, body?: unknown) => Promise<Answer>

async function start(t: Test, { module, name, url }: RaceTestsOptions): Promise<string> {
  const server = new URL(import.meta.resolve('@modelwire/connector-tests/race-server'))
  const child = fork(server, [module, name, url])
  t.teardown(() => child.kill())
  const [origin] = (await once(child, 'message')) as [string] // what the process sends first
  return origin
}

const times = <Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

async function startTwo(t: Test, options: RaceTestsOptions): Promise<Send> {
  const origins = [await start(t, options), await start(t, options)]
  return async (at, method, path, body) => {
    const payload =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${origins[at % 2]}${path}`, { method, ...payload })
    return { status: answer.status, body: await answer.json() }
  }
}

function allAre(t: Test, answers: readonly Answer[], status: number): void {
  const others = answers.filter((answer) => answer.status !== status)
  t.strictSame(others.slice(0, 3), [], `${others.length} of ${answers.length} are not ${status}`)
}

const rows = async (send: Send, model: string): Promise<unknown> => (await send(0, 'GET', `/rows/${model}`)).body

const whereText = (where: object): string => `where=${encodeURIComponent(JSON.stringify(where))}`

async function testUpserts(t: Test, send: Send): Promise<void> {
  for (const [method, id] of [
    ['PATCH', 'a'],
    ['PUT', 'b']
  ] as const)
    allAre(t, await times(40, (at) => send(at, method, '/Docs', { id, text: String(at) })), 200)
  const bulk = (atomic: boolean, id: string) => (at: number) =>
    send(at, 'POST', '/Docs/bulk', { atomic, upsert: [{ id, text: String(at) }] })
  const single = await times(40, bulk(false, 'c'))
  t.match(single[0]?.body, { upsert: [{ status: 200 }] })
  allAre(t, [...single, ...(await times(40, bulk(true, 'd')))], 200)
  t.equal(await rows(send, 'Doc'), 4)
  const upsert = (name: string) => (at: number) =>
    send(at, 'POST', `/Labels/upsertWithWhere?${whereText({ name })}`, { name, rank: at })
  allAre(t, [...(await times(40, upsert('x'))), ...(await times(40, upsert('y')))], 200)
  t.equal(await rows(send, 'Label'), 2)
}

async function testLinks(t: Test, send: Send): Promise<void> {
  for (const [one, many, other, others, between] of [
    ['Authors', 'tags', 'Tags', 'authors', 'TagAuthor'],
    ['Members', 'clubs', 'Clubs', 'members', 'Entry']
  ] as const) {
    for (const path of [one, other]) await send(0, 'POST', `/${path}`, {})
    const paths = [`/${one}/1/${many}/rel/1`, `/${other}/1/${others}/rel/1`]
    allAre(t, await times(60, (at) => send(at, 'PUT', paths[at % 3 === 0 ? 0 : 1] ?? '')), 200)
    t.equal(await rows(send, between), 1)
  }
}

const change = (id: number, n: number) => ({
  method: 'POST',
  url: `/Counters/update?${whereText({ id })}`,
  body: { n }
})

async function testBulkUpdates(t: Test, send: Send): Promise<void> {
  const ids = [1, 2, 3, 4, 5]
  for (const n of ids) await send(0, 'POST', '/Counters', { n })
  const answers = await times(200, (at) => {
    const update = ids.map((id) => ({ id, n: at }))
    return send(at, 'POST', '/Counters/bulk', { atomic: true, update: at % 4 < 2 ? update : update.toReversed() })
  })
  allAre(t, answers, 200)
  // Nothing tells beforehand which records these are about: the transactions meet, and are done again.
  const met = await times(4, (at) => {
    const requests = ids.map((id) => change(id, at))
    return send(at, 'POST', '/batch', { atomic: true, requests: at < 2 ? requests : requests.toReversed() })
  })
  allAre(t, met, 200)
}

async function testTakenValues(t: Test, send: Send): Promise<void> {
  for (const email of ['k1', 'k2']) await send(0, 'POST', '/Accounts', { email })
  const taken = {
    status: 422,
    body: { error: { details: { status: 409, body: { error: { code: 'DUPLICATE_KEY' } } } } }
  }
  const batch = (at: number, method: string, url: string, body: object) =>
    send(at, 'POST', '/batch', { atomic: true, requests: [{ method, url, body }] })
  t.match(await batch(0, 'PATCH', '/Accounts/2', { email: 'k1' }), taken)
  t.match(await batch(0, 'PUT', '/Accounts/2', { email: 'k1' }), taken)
  t.match(await batch(0, 'POST', '/Accounts/2/replace', { email: 'k1' }), taken)
  t.match(await batch(0, 'POST', '/Accounts', { email: 'k1' }), taken)
  t.match(await batch(0, 'POST', '/Accounts', [{ email: 'k3' }, { email: 'k1' }]), taken)
  const raced = await times(40, (at) => batch(at, 'POST', '/Accounts', { email: 'k4' }))
  t.equal(raced.filter(({ status }) => status === 200).length, 1)
  t.ok(raced.filter(({ status }) => status !== 200).every((answer) => answer.status === 422))
  for (const answer of raced) if (answer.status !== 200) t.match(answer, taken)
}

/** Shows what two processes that serve one database leave behind when their clients do the same at the same time. */
export async function raceTests(t: Test, options: RaceTestsOptions): Promise<void> {
  const send = await startTwo(t, options)
  await t.test('upserts at once leave one record', (t) => testUpserts(t, send))
  await t.test('links at once leave one link, from either side', (t) => testLinks(t, send))
  await t.test('atomic updates of the same records in any order all succeed', (t) => testBulkUpdates(t, send))
  await t.test('a taken value is a coded conflict within atomic batches', (t) => testTakenValues(t, send))
}
