import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { watchReads } from '../worlds/watch-reads.ts'
import { send } from './bank.ts'
import { connectors, makeItems, type Path, paths } from './paths.ts'

/** Labels of items, wherever they lie in an answer. */
const labelsIn = (body: unknown): string =>
  [...JSON.stringify(body).matchAll(/"label":"(.)"/g)].map(([, l]) => l).join('')

const reads: readonly (readonly [line: string, first: string, second: string])[] = [
  ['GET /items', 'ab', 'c'],
  ['GET /items?filter={"order":"label%20DESC","limit":1}', 'b', 'c'],
  ['GET /items?filter={"order":"label%20DESC","skip":1}', 'a', ''],
  ['GET /items?filter={"where":{"or":[{"label":"a"},{"label":"c"}]}}', 'a', 'c'],
  ['GET /items?filter={"fields":["label"]}', 'ab', 'c'],
  ['GET /items/findOne?filter={"order":"label%20DESC"}', 'b', 'c'],
  ['GET /shelves?filter={"include":"items"}', 'ab', 'c'],
  ['GET /shelves/1?filter={"include":{"relation":"items","scope":{"order":"label%20DESC","limit":1}}}', 'b', 'c'],
  ['GET /shelves/1?filter={"include":{"items":"shelf"}}', 'ab', 'c'],
  ['GET /shelves/1/items', 'ab', 'c'],
  ['GET /shelves/1/items?filter={"order":"label%20DESC","limit":1}', 'b', 'c'],
  ['GET /tags?filter={"include":"item"}', 'ab', 'c']
]

const counts: readonly (readonly [line: string, first: number, second: number])[] = [
  ['GET /items/count', 2, 1],
  ['GET /items/count?where={"label":{"gt":"a"}}', 1, 1],
  ['GET /shelves/1/items/count', 2, 1]
]

/** Statuses for the first user, and for the second. */
const byId: readonly (readonly [line: string, first: number, second: number])[] = [
  ['GET /items/1', 200, 401],
  ['GET /items/3', 401, 200],
  ['GET /items/9', 401, 401],
  ['GET /items/1/exists', 200, 401],
  ['HEAD /items/3', 401, 200],
  ['GET /shelves/1/items/1', 200, 401],
  ['GET /shelves/1/items/3', 401, 200],
  ['GET /items/3/shelf', 401, 200],
  ['GET /tags/1/item', 200, 401]
]

/** Filters and orders by items show no tag or shelf by an item that the client may not see. */
const related: readonly (readonly [line: string, first: number, second: number])[] = [
  ['GET /tags?filter={"where":{"item":{"label":"c"}}}', 0, 1],
  ['GET /tags?filter={"where":{"item.label":"a"}}', 1, 0],
  ['GET /shelves?filter={"where":{"items.label":"c"}}', 0, 1],
  ['GET /tags?filter={"order":"item.label%20DESC","where":{"item":{"label":{"gt":"a"}}}}', 1, 1]
]

type Ask = (app: FastifyInstance, line: string, payload?: object) => ReturnType<typeof send>
const asFirst: Ask = (app, line, payload) => send(app, line, payload, '1')
const asSecond: Ask = (app, line, payload) => send(app, line, payload, '2')

const refused: readonly (readonly [line: string, data?: object])[] = [
  ['PATCH /items/3', { label: 'x' }],
  ['PUT /items/3', { label: 'x' }],
  ['POST /items/3/replace', { label: 'x' }],
  ['PATCH /items', { id: 3, label: 'x' }],
  ['PUT /items', { id: 3, label: 'x' }],
  ['POST /items/replaceOrCreate', { id: 3, label: 'x' }],
  ['DELETE /items/3'],
  ['PUT /shelves/1/items/3', { label: 'x' }],
  ['DELETE /shelves/1/items/3']
]

const storedLabels = async (app: FastifyInstance): Promise<string> =>
  labelsIn(await app.models.get('Item').find({ order: 'id' }))

function testReads(name: string, make: (test: Parameters<typeof makeItems>[0]) => Promise<FastifyInstance>): void {
  void t.test(`reads stay with items of which users lie at the end of ${name}`, async (t) => {
    const app = await make(t)
    for (const [line, first, second] of reads) {
      t.equal(labelsIn((await asFirst(app, line)).body), first, line)
      t.equal(labelsIn((await asSecond(app, line)).body), second, line)
      t.equal(labelsIn((await send(app, line, undefined, '7')).body ?? ''), '', `${line} of a stranger`)
    }
    for (const [line, first, second] of counts) {
      t.match((await asFirst(app, line)).body, { count: first }, line)
      t.match((await asSecond(app, line)).body, { count: second }, line)
    }
    for (const [line, first, second] of byId) {
      t.equal((await app.inject(requestOf(line, '1'))).statusCode, first, line)
      t.equal((await app.inject(requestOf(line, '2'))).statusCode, second, line)
    }
    for (const [line, first, second] of related) {
      t.equal(lengthOf((await asFirst(app, line)).body), first, line)
      t.equal(lengthOf((await asSecond(app, line)).body), second, line)
    }
  })
}

const lengthOf = (body: unknown): unknown => (Array.isArray(body) ? body.length : body)

function requestOf(line: string, user: string) {
  const [method = 'GET', url = ''] = line.split(' ')
  return { method: method as 'GET', url: `/api${url}`, headers: { user } } // tests name verbs
}

function testWrites(name: string, make: (test: Parameters<typeof makeItems>[0]) => Promise<FastifyInstance>): void {
  void t.test(`writes stay with items of which users lie at the end of ${name}`, async (t) => {
    const app = await make(t)
    for (const [line, data] of refused) t.equal((await asFirst(app, line, data)).status, 401, line)
    t.not((await asFirst(app, 'POST /items/upsertWithWhere?where={"label":"c"}', { label: 'x' })).status, 200)
    t.equal(await storedLabels(app), 'abc')
    t.match((await asFirst(app, 'POST /items/update?where={}', { label: 'm' })).body, { count: 2 })
    t.equal(await storedLabels(app), 'mmc')
    t.equal((await asFirst(app, 'PATCH /items/1', { label: 'n' })).status, 200)
    t.equal((await asFirst(app, 'PUT /shelves/1/items/2', { label: 'o' })).status, 200)
    t.equal(await storedLabels(app), 'noc')
    await asFirst(app, 'DELETE /shelves/1/items')
    t.equal(await storedLabels(app), 'c')
    t.equal((await asSecond(app, 'DELETE /items/3')).status, 200)
  })
}

function testNew(
  name: string,
  { holds: [own, foreign], join }: Path,
  make: (test: Parameters<typeof makeItems>[0]) => Promise<FastifyInstance>
): void {
  void t.test(`new items, and changed ones, keep a user at the end of ${name}`, async (t) => {
    const app = await make(t)
    const ofAnother = join === undefined ? foreign : {}
    for (const line of ['POST /items', 'POST /shelves/1/items'])
      t.equal((await asFirst(app, line, { label: 'x', ...ofAnother })).status, 401, line)
    t.equal(
      (
        await asFirst(app, 'POST /items', [
          { label: 'x', ...own },
          { label: 'y', ...ofAnother }
        ])
      ).status,
      401
    )
    t.equal(await storedLabels(app), 'abc')
    if (join !== undefined) return
    for (const line of ['PATCH /items/1', 'POST /items/update?where={"id":1}', 'PUT /shelves/1/items/1'])
      t.equal((await asFirst(app, line, foreign)).status, 401, line)
    t.equal((await asFirst(app, 'POST /items', { label: 'd', ...own })).status, 200)
    t.equal(labelsIn((await asFirst(app, 'GET /items')).body), 'abd')
    t.equal(labelsIn((await asSecond(app, 'GET /items')).body), 'c')
  })
}

/** What users at the end of a path see, change and hear of, in one of the databases. */
export function testPaths(database: keyof typeof connectors): void {
  const connect: (test: Test) => Promise<Connector> = connectors[database]
  for (const [name, path] of Object.entries(paths)) {
    const make = async (test: Parameters<typeof makeItems>[0]) => makeItems(test, path, await connect(test))
    testReads(`${name} (${database})`, make)
    testWrites(`${name} (${database})`, make)
    testNew(`${name} (${database})`, path, make)
    void t.test(`followers hear of items of which users lie at the end of ${name} (${database})`, async (t) => {
      const connector = await connect(t)
      const settle = watchReads(connector)
      const app = await makeItems(t, path, connector)
      const following = ['1', '2'].map((user) => app.inject(requestOf('GET /items/change-stream', user)))
      await settle()
      for (const id of [1, 3]) await (await app.models.get('Item').findById(id))?.patchAttributes({ label: `l${id}` })
      await settle()
      await app.close()
      const [first = '', second = ''] = (await Promise.all(following)).map(({ payload }) => payload)
      t.match(first, /"label":"l1"/)
      t.notMatch(first, /"label":"l3"/)
      t.match(second, /"label":"l3"/)
      t.notMatch(second, /"label":"l1"/)
    })
  }
}
