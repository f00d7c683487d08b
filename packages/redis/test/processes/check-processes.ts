import { randomUUID } from 'node:crypto'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import type { Answer, Server } from './start-servers.ts'

type Servers = readonly [Server, Server, Server]

interface Login {
  readonly id: string
  readonly userId: number
}

const password = 'correct horse'
/** Milliseconds: the second that something may take to count everywhere, and one more for a machine that does much besides. */
const longest = 2000

async function addMember({ send }: Server, name: string): Promise<void> {
  await send('POST', '/api/Members', { body: { email: `${name}@shop.org`, password } })
}

const login = (server: Server, name: string, from: string, wrong = false): Promise<Answer> =>
  server.send('POST', '/api/Members/login', {
    from,
    body: { email: `${name}@shop.org`, password: wrong ? 'wrong' : password }
  })

async function loggedIn(server: Server, name: string, from: string): Promise<Login> {
  const { body } = await login(server, name, from)
  return body as Login // the answer of a login
}

const countOf = (answers: readonly Answer[], wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length

/** A hundred logins of one address in a minute are a hundred, whichever process each of them comes to. */
export async function checkRate(t: Test, servers: Servers): Promise<void> {
  const [first] = servers
  await addMember(first, 'ann')
  const from = '10.1.1.1'
  const answers = [await login(first, 'ann', from)]
  for (let round = 0; round < 15; round++) {
    const sent = servers.flatMap((server) => [1, 2, 3].map(() => login(server, 'ann', from)))
    answers.push(...(await Promise.all(sent)))
  }
  t.equal(countOf(answers, 200), 100)
  t.equal(countOf(answers, 429), answers.length - 100)
}

/** Guesses at one account are ten, and no process has ten of its own. */
export async function checkGuesses(t: Test, servers: Servers): Promise<void> {
  await addMember(servers[0], 'bob')
  const sent = servers.flatMap((server) => Array.from({ length: 10 }, () => login(server, 'bob', '10.1.1.2', true)))
  const answers = await Promise.all(sent)
  t.equal(countOf(answers, 401), 10)
  t.equal(countOf(answers, 429), 20)
}

/** Milliseconds until all servers answer something as wanted, after it was done. */
async function timeUntil(servers: Servers, path: string, token: string | undefined, status: number): Promise<number> {
  const began = performance.now()
  await until(async () => {
    const answers = await Promise.all(servers.map(({ send }) => send('GET', path, { token })))
    return answers.every((answer) => answer.status === status)
  }, `${path} to be answered ${status} everywhere`)
  return performance.now() - began
}

/** What ends a session or changes a rule counts everywhere within a second. */
export async function checkCaches(t: Test, servers: Servers): Promise<void> {
  const [first, second] = servers
  await addMember(first, 'cleo')
  const from = '10.1.1.3'
  const one = await loggedIn(first, 'cleo', from)
  const other = await loggedIn(second, 'cleo', from)
  const path = `/api/Members/${one.userId}`
  for (const { id } of [one, other]) await timeUntil(servers, path, id, 200)
  await first.send('POST', '/api/Members/logout', { token: one.id })
  const logout = await timeUntil(servers, path, one.id, 401)
  t.ok(logout < longest, `a logout: ${logout} ms`)
  const third = await loggedIn(first, 'cleo', from)
  await timeUntil(servers, path, third.id, 200)
  const changed = await second.send('POST', '/api/Members/change-password', {
    token: other.id,
    body: { oldPassword: password, newPassword: 'battery staple' }
  })
  t.equal(changed.status, 204)
  const renewed = await timeUntil(servers, path, third.id, 401)
  t.ok(renewed < longest, `a new password: ${renewed} ms`)
  await timeUntil(servers, '/api/Notes', undefined, 200)
  await servers[2].send('POST', '/rules', {
    body: {
      model: 'Note',
      property: '*',
      accessType: '*',
      permission: 'DENY',
      principalType: 'ROLE',
      principalId: '$everyone'
    }
  })
  const rule = await timeUntil(servers, '/api/Notes', undefined, 401)
  t.ok(rule < longest, `a stored rule: ${rule} ms`)
  t.comment(
    `counted everywhere: logout ${Math.round(logout)} ms, password ${Math.round(renewed)} ms, rule ${Math.round(rule)} ms`
  )
}

/** Of requests with one key one is carried out. */
export async function checkKeys(t: Test, servers: Servers): Promise<void> {
  const key = randomUUID()
  const text = randomUUID()
  const sent = servers.flatMap(({ send }) => [1, 2, 3].map(() => send('POST', '/api/Notes', { key, body: { text } })))
  const answers = await Promise.all(sent)
  t.ok(countOf(answers, 200) >= 1)
  t.equal(countOf(answers, 200) + countOf(answers, 409), answers.length)
  const { body } = await servers[1].send('GET', '/api/Notes')
  t.equal((body as { text: string }[]).filter((note) => note.text === text).length, 1)
}

interface Run {
  readonly began: number
  readonly ended: number
}

/** Purges run in one process at a time, and remove tokens that have expired. */
export async function checkPurges(t: Test, servers: Servers): Promise<void> {
  const old = new Date(Date.now() - 10_000)
  const tokens = [
    { id: 'over', ttl: 5, created: old, userId: 1 },
    { id: 'alive', ttl: 3600, created: old, userId: 1 },
    { id: 'eternal', ttl: -1, created: old, userId: 1 }
  ]
  for (const body of tokens) await servers[0].send('POST', '/tokens', { body })
  const idsOf = async (): Promise<unknown[]> => {
    const { body } = await servers[1].send('GET', '/tokens')
    return (body as Login[]).map(({ id }) => id)
  }
  await until(async () => !(await idsOf()).includes('over'), 'the token to be removed')
  const left = await idsOf()
  t.ok(left.includes('alive') && left.includes('eternal'))
  const runsOf = async (): Promise<Run[]> => (await servers[2].send('GET', '/runs')).body as Run[]
  await until(async () => (await runsOf()).length >= 8, 'eight purges')
  const runs = (await runsOf()).toSorted((one, other) => one.began - other.began)
  const overlapping = runs.filter(({ began }, at) => at > 0 && began < (runs[at - 1]?.ended ?? 0))
  t.strictSame(overlapping, [])
  const last = runs.at(-1)?.began ?? 0
  const seconds = (last - (runs[0]?.began ?? 0)) / 1000
  t.ok(runs.length <= seconds / 0.27 + 2, `${runs.length} purges in ${seconds} s: one in an interval`)
}

/** A lease is free once its time is over, where its holder was killed. */
export async function checkKilledHolder(t: Test, [first, second]: Servers): Promise<void> {
  const path = `/leases/${randomUUID()}/1500`
  const began = performance.now()
  t.match((await first.send('GET', path)).body, { isTaken: true })
  t.match((await second.send('GET', path)).body, { isTaken: false })
  await first.kill()
  const isTaken = async (): Promise<boolean> =>
    Object(await second.send('GET', path).then(({ body }) => body)).isTaken === true
  await until(isTaken, 'the lease to be free')
  const time = performance.now() - began
  t.ok(time > 1200 && time < 2500, `${time} ms`)
}
