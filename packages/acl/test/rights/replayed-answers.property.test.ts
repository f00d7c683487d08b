import { memory } from '@modelwire/connector-memory'
import { defineInstanceOperation } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

/** Whoever has the role reads: all of a person, the fields of a rule, only persons named Ann. */
const readers = ['boss', 'clerk', 'friend'] as const
const reading = { property: ['find', 'findById'] }

interface World {
  readonly app: FastifyInstance
  /** The roles that the caller has now. */
  readonly roles: Set<string>
}

async function makeWorld(t: Test): Promise<World> {
  const roles = new Set<string>()
  const person = {
    name: 'Person',
    plural: 'people',
    properties: { name: 'string', nick: 'string', salary: { type: 'number', default: 10 }, teamId: 'number' },
    relations: { team: { type: 'belongsTo', model: 'Team', foreignKey: 'teamId' } },
    acls: [
      deny,
      rule('$everyone', 'ALLOW', { accessType: 'WRITE' }),
      rule('$everyone', 'ALLOW', { property: 'copy' }),
      rule('friend', 'ALLOW', { ...reading, rows: () => ({ name: 'Ann' }) }),
      rule('clerk', 'ALLOW', { ...reading, fields: { read: ['name', 'nick'] } }),
      rule('boss', 'ALLOW', reading)
    ]
  }
  const people = { type: 'hasMany', model: 'Person', foreignKey: 'teamId' }
  const team = { name: 'Team', plural: 'teams', properties: { title: 'string' }, relations: { people } }
  const prepare = ({ models }: FastifyInstance): void => {
    defineInstanceOperation(models.get('Person'), {
      name: 'copy',
      returns: Type.Unknown(),
      handler: async (one) => ({
        original: one,
        others: await models.get('Person').find({ limit: 2, include: 'team' })
      })
    })
  }
  const connector = memory({ transactions: true })
  const app = await makeApp(t, [person, team], {}, { connector, idempotency: true, prepare })
  for (const role of readers) app.access.registerRole(role, () => roles.has(role))
  await app.models.get('Team').create({ title: 'x' })
  await app.models.get('Person').create([{ name: 'Ann', nick: 'A', teamId: 1 }, { name: 'Bob' }])
  return { app, roles }
}

const ann = { name: 'Ann', nick: 'N' }
const copy = { method: 'POST', url: '/people/1/copy', body: {} }
const list = { method: 'GET', url: '/people?filter={"include":"team"}' }
const batch = { requests: [{ id: 'new', method: 'POST', url: '/people', body: ann }, list, copy] }

const requests: readonly (readonly [string, object])[] = [
  ['POST /people', ann],
  ['POST /people', [ann, { name: 'Eve' }]],
  ['POST /teams/1/people', ann],
  ['PATCH /people/1', { nick: 'N' }],
  ['PATCH /people/2', { nick: 'N' }],
  ['PATCH /people', { id: 1, nick: 'N' }],
  ['POST /people/1/replace', ann],
  ['POST /people/replaceOrCreate', { id: 2, name: 'Bob' }],
  ['POST /people/upsertWithWhere?where={"id":1}', { nick: 'N' }],
  ['POST /people/1/copy', {}],
  ['POST /batch', batch],
  ['POST /batch', { atomic: true, requests: [{ method: 'PATCH', url: '/people/1', body: { nick: 'N' } }, copy] }],
  ['POST /people/bulk', { create: [ann], update: [{ id: 1, nick: 'N' }], upsert: [{ id: 2, nick: 'N' }] }]
]

async function send({ app }: World, line: string, payload?: object) {
  const [method = '', url = ''] = line.split(' ')
  const headers = { user: '1', ...(payload !== undefined && { 'idempotency-key': 'k' }) }
  const answer = await app.inject({ method: method as 'GET', url: `/api${url}`, headers, ...(payload && { payload }) }) // tests name verbs
  return { status: answer.statusCode, body: answer.body, isReplayed: 'idempotency-replayed' in answer.headers }
}

type Fields = Readonly<Record<string, unknown>>

/** All persons in an answer. */
function personsIn(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.values(value).flatMap(personsIn)
  return 'id' in value && typeof value.id === 'number' && !('title' in value) ? [value as Fields, ...within] : within
}

type Sight = ReadonlyMap<unknown, ReadonlySet<string>>

/** The names of what the caller would see by reading each person now. */
async function seen(world: World, persons: readonly Fields[]): Promise<Sight> {
  const found = new Map<unknown, ReadonlySet<string>>()
  for (const { id } of persons) {
    const { status, body } = await send(world, `GET /people/${String(id)}`)
    found.set(id, new Set(status === 200 ? Object.keys(JSON.parse(body) as object) : []))
  }
  return found
}

const give = ({ roles }: World, names: readonly string[]): void => {
  roles.clear()
  for (const name of names) roles.add(name)
}

const has = (sight: Sight, { id }: Fields, name: string): boolean => sight.get(id)?.has(name) === true

const rights = fc.subarray([...readers])

/** What a record of an answer shows that its caller could read by itself then, and cannot now. */
function lostIn(record: Fields, { old, now, payload }: Readonly<Record<'old' | 'now', Sight>> & { payload: object }) {
  const sent = JSON.stringify(payload)
  const own = Object.keys(record).filter((name) => name !== 'id' && name !== 'team' && !sent.includes(`"${name}"`))
  return own.filter((name) => has(old, record, name) && !has(now, record, name))
}

void t.test('an answer that is given again shows nothing that its caller may not read any more', async (t) => {
  const attempt = async (line: string, payload: object, [before, after]: readonly (readonly string[])[]) => {
    const world = await makeWorld(t)
    give(world, before ?? [])
    const first = await send(world, line, payload)
    const shown = personsIn(JSON.parse(first.body))
    const old = await seen(world, shown)
    give(world, after ?? [])
    const now = await seen(world, shown)
    const again = await send(world, line, payload)
    await world.app.close()
    const lost = (answer: string) =>
      personsIn(JSON.parse(answer)).flatMap((record) => lostIn(record, { old, now, payload }))
    return { first, again, lost }
  }
  let masked = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...requests), rights, rights, async ([line, payload], before, after) => {
      const { first, again, lost } = await attempt(line, payload, [before, after])
      t.match([first.status, again.status, again.isReplayed], [200, 200, true], `${line}: ${first.body}`)
      t.strictSame(lost(again.body), [], `${line}: ${again.body}`)
      const isSame = before.length === after.length && before.every((role) => after.includes(role))
      if (isSame) t.equal(again.body, first.body, line)
      if (lost(first.body).length > 0) masked += 1
    }),
    { numRuns: runs(150) }
  )
  t.ok(masked > 10, 'rights were taken away')
})

const people = (app: FastifyInstance) => app.models.get('Person')

void t.test('what its caller sent, and ids, are shown again; a record that is gone shows no more', async (t) => {
  const world = await makeWorld(t)
  give(world, ['boss'])
  const first = await send(world, 'POST /people', ann)
  t.strictSame(JSON.parse(first.body), { ...ann, salary: 10, id: 3 })
  t.equal((await send(world, 'POST /people', ann)).body, first.body)
  await people(world.app).destroyById(3)
  t.strictSame(JSON.parse((await send(world, 'POST /people', ann)).body), { ...ann, id: 3 })
  give(world, [])
  t.strictSame(JSON.parse((await send(world, 'POST /people', ann)).body), { ...ann, id: 3 })
})

void t.test('an answer that was kept without what it shows is not given again', async (t) => {
  const world = await makeWorld(t)
  await send(world, 'POST /people', ann)
  await world.app.models.get('IdempotencyKey').updateAll({}, { shown: null })
  t.match(await send(world, 'POST /people', ann), { status: 409, body: /IDEMPOTENCY_ANSWER_NOT_KEPT/ })
  t.equal(await people(world.app).count(), 3)
})
