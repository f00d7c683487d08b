import { isDeepStrictEqual } from 'node:util'
import { spawnServer } from '@modelwire/connector-tests'
import { createTestDatabase, startPooler, whyNoPooler } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../fixtures/serve-teams.js', import.meta.url))
const loadTime = Number(process.env['MODELWIRE_FAULT_TIME'] ?? 3000)
/** Clients at once. Each one changes the members of a team of its own, and reads those of others, which nobody changes. */
const clients = 12
const sharedTeams = 20

interface Answer {
  readonly status: number
  readonly body: unknown
}
type Send = (method: string, path: string, body?: object) => Promise<Answer>

interface Member {
  readonly id: number
  readonly name: string
  readonly points: number
  readonly teamId: number
}

/** What one client has to know to foresee its answers. */
interface Client {
  /** Through either process. */
  readonly send: Send
  readonly team: number
  readonly members: Member[]
  made: number
}

const sizeOf = (team: number): number => (team % 3) + 2
const sharedMember = (team: number, at: number): Member => {
  const id = team * 10 + at
  return { id, name: `Member ${id}`, points: id % 7, teamId: team }
}
const membersOf = (team: number): Member[] => Array.from({ length: sizeOf(team) }, (_, at) => sharedMember(team, at))
const teamOf = (id: number): object => ({ name: `Team ${id}`, id })
const query = (name: string, value: object): string => `${name}=${encodeURIComponent(JSON.stringify(value))}`

async function sendTo(url: string, method: string, path: string, body?: object): Promise<Answer> {
  const content = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${url}/${path}`, { method, ...content })
  return { status: response.status, body: await response.json() }
}

/** Sends one request; what it must be answered with is the second of the pair. */
type Step = (client: Client, at: number) => Promise<readonly [answer: Answer, expected: unknown]>

const only = ({ status, body }: Answer): unknown => (status === 200 ? body : status)

const reads: readonly Step[] = [
  async ({ send }, at) => {
    const team = (at % sharedTeams) + 1
    const filter = { include: { relation: 'members', scope: { order: 'id' } } }
    return [
      await send('GET', `Teams/${team}?${query('filter', filter)}`),
      { ...teamOf(team), members: membersOf(team) }
    ]
  },
  async ({ send }, at) => {
    const team = (at % sharedTeams) + 1
    const answer = await send(
      'GET',
      `Members?${query('filter', { where: { teamId: team }, order: 'id', include: 'team' })}`
    )
    return [answer, membersOf(team).map((member) => ({ ...member, team: teamOf(team) }))]
  },
  async ({ send }, at) => {
    const member = sharedMember((at % sharedTeams) + 1, at % 2)
    return [await send('GET', `Members/${member.id}`), member]
  },
  async ({ send }, at) => {
    const team = (at % sharedTeams) + 1
    return [await send('GET', `Members/count?${query('where', { teamId: team })}`), { count: sizeOf(team) }]
  },
  async ({ send }, at) => {
    const team = (at % sharedTeams) + 1
    return [
      await send('GET', `Teams/${team}/members?${query('filter', { order: 'id DESC' })}`),
      membersOf(team).toReversed()
    ]
  },
  async ({ send }) => {
    const { status } = await send('GET', 'Members/999999999')
    return [{ status: 200, body: status }, 404]
  }
]

const changes: readonly Step[] = [
  async (client, at) => {
    const member = { id: client.team * 100_000 + ++client.made, name: `New ${at}`, points: 50, teamId: client.team }
    client.members.push(member)
    return [await client.send('POST', 'Members', member), member]
  },
  async ({ send, members }, at) => {
    const place = at % members.length
    const changed = { ...(members[place] ?? sharedMember(1, 0)), name: `Changed ${at}` }
    members[place] = changed
    return [await send('PATCH', `Members/${changed.id}`, { name: changed.name }), changed]
  },
  async ({ send, team, members }) => [
    await send('GET', `Members?${query('filter', { where: { teamId: team }, order: 'id', fields: ['id', 'name'] })}`),
    members.map(({ id, name }) => ({ id, name }))
  ],
  async ({ send, team, members }, at) => {
    for (const [place, member] of members.entries()) members[place] = { ...member, name: `All ${at}` }
    return [
      await send('POST', `Members/update?${query('where', { teamId: team })}`, { name: `All ${at}` }),
      { count: members.length }
    ]
  },
  async ({ send, team, members }) => [await send('GET', `Teams/${team}/members/count`), { count: members.length }],
  async ({ send, members }) => {
    const [from, to] = [members[0]?.id, members[1]?.id]
    return [await send('POST', 'Teams/transfer', { from, to }), { sum: members.length * 50 }]
  },
  async ({ send, members }, at) => {
    if (members.length < 8) return [{ status: 200, body: at }, at]
    const member = members.pop()
    return [await send('DELETE', `Members/${member?.id}`), { count: 1 }]
  }
]
const steps = [...reads, ...changes]

/** Points move without the client's knowing how often: they are left out of what it expects of its own members. */
const withoutPoints = (body: unknown, { team }: Client): unknown => {
  if (typeof body !== 'object' || body === null || Reflect.get(body, 'teamId') !== team) return body
  return { ...body, points: 50 }
}

/** Sends requests of every kind, and until the time is up, and gives what was answered in another way than it must be. */
async function work(client: Client, until: number): Promise<{ count: number; wrong: unknown[] }> {
  const wrong: unknown[] = []
  let at = client.team
  for (; Date.now() < until || at - client.team < steps.length; at++) {
    const step = steps[(at * 5) % steps.length]
    if (step === undefined) break
    const [answer, expected] = await step(client, at)
    const found = withoutPoints(only(answer), client)
    if (!isDeepStrictEqual(found, expected)) wrong.push({ step: String(step), answer, expected })
  }
  return { count: at - client.team, wrong }
}

async function openServers(t: Test, takesTimeout: boolean): Promise<readonly string[]> {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const pooler = await startPooler(url, { takesTimeout })
  t.teardown(() => pooler.stop())
  const servers = [
    await spawnServer(script, { url: pooler.url, max: 5 }),
    await spawnServer(script, { url: pooler.url, max: 5 })
  ]
  for (const server of servers) t.teardown(() => server.kill())
  return servers.map((server) => server.url)
}

async function fill(url: string): Promise<void> {
  const teams = Array.from({ length: sharedTeams }, (_, at) => at + 1)
  await sendTo(url, 'POST', 'Teams', teams.map(teamOf))
  await sendTo(url, 'POST', 'Members', teams.flatMap(membersOf))
}

/** A client whose requests go to one process and the other by turns. */
async function makeClient(urls: readonly string[], team: number): Promise<Client> {
  let turn = team
  const send: Send = async (...request) => sendTo(urls[turn++ % urls.length] ?? '', ...request)
  const members = Array.from({ length: 3 }, (_, at) => ({
    ...sharedMember(team, at),
    id: team * 1000 + at,
    points: 50
  }))
  await send('POST', 'Teams', teamOf(team))
  await send('POST', 'Members', members)
  return { send, team, members, made: 0 }
}

for (const takesTimeout of [true, false])
  void t.test(
    `two processes behind a pooler answer every request as they must, ${takesTimeout ? 'with' : 'without'} start parameters`,
    { skip: whyNoPooler(), timeout: loadTime + 60_000 },
    async (t) => {
      const urls = await openServers(t, takesTimeout)
      await fill(urls[0] ?? '')
      const all = await Promise.all(Array.from({ length: clients }, async (_, at) => makeClient(urls, at + 101)))
      const results = await Promise.all(all.map(async (client) => work(client, Date.now() + loadTime)))
      const count = results.reduce((sum, result) => sum + result.count, 0)
      t.comment(`${count} requests`)
      t.same(results.flatMap(({ wrong }) => wrong).slice(0, 5), [])
      t.ok(count >= clients * steps.length, 'each client has sent requests of every kind')
    }
  )
