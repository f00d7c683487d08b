import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'

const models: readonly ModelDefinition[] = [
  {
    name: 'Listed',
    public: true,
    forceId: false,
    properties: {
      id: { type: 'number', id: true },
      rank: { type: 'number', required: true },
      title: 'string',
      price: 'number',
      day: 'date',
      done: 'boolean'
    }
  }
]

interface Listed {
  readonly id: number
  readonly rank: number
  readonly title?: string | null
  readonly price?: number | null
  readonly day?: string | null
  readonly done?: boolean | null
}

async function start(t: Test, connector: Connector): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models })
  await connector.migrate?.([app.models.typeOf('Listed')], { empty: true })
  await app.register(rest, { prefix: '/api' })
  return app
}

/** A page as clients get it, with the addresses of those beside it. */
interface Page {
  readonly rows: readonly Listed[]
  readonly total: string
  readonly links: Readonly<Record<string, string>>
}

const linkPattern = /<([^>]*)>; rel="(\w+)"/g

async function getPage(app: FastifyInstance, query: string, prefer = 'links'): Promise<Page> {
  const answer = await app.inject({ url: `/api/Listeds${query}`, headers: { prefer } })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body} for ${query}`)
  const links = [...String(answer.headers['link'] ?? '').matchAll(linkPattern)]
  return {
    rows: answer.json<Listed[]>(),
    total: String(answer.headers['x-total-count'] ?? ''),
    links: Object.fromEntries(links.map(([, target = '', rel = '']) => [rel, target]))
  }
}

const queryOf = (filter: object): string => `?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** Follows the links of one relation from a page on, and gives all pages. */
async function walk(
  app: FastifyInstance,
  first: string,
  rel: string,
  between: (page: Page) => Promise<void> = async () => {}
): Promise<Page[]> {
  const pages: Page[] = []
  let query: string | undefined = first
  while (query !== undefined && pages.length < 200) {
    const page = await getPage(app, query)
    pages.push(page)
    await between(page)
    query = page.links[rel]
  }
  return pages
}

const idsOf = (pages: readonly Page[]): number[] => pages.flatMap(({ rows }) => rows.map(({ id }) => id))

const value = {
  title: fc.option(fc.constantFrom('', 'a', 'B', 'b', 'ab', 'é', 'Z', '~'), { nil: null }),
  price: fc.option(fc.constantFrom(-3, -0.5, 0, 2, 2.25, 1e6), { nil: null }),
  day: fc.option(fc.constantFrom('1969-12-31T00:00:00.000Z', '2020-02-29T12:30:15.250Z', '2024-01-01T00:00:00.000Z'), {
    nil: null
  }),
  done: fc.option(fc.boolean(), { nil: null })
}
const record = fc.record({ rank: fc.integer({ min: 0, max: 3 }), ...value }, { requiredKeys: ['rank'] })
const clause = fc.tuple(fc.constantFrom('rank', 'title', 'price', 'day', 'done', 'id'), fc.constantFrom('ASC', 'DESC'))
const orders = fc
  .uniqueArray(clause, { maxLength: 4, selector: ([name]) => name })
  .map((clauses) => clauses.map((parts) => parts.join(' ')))

/** Any order is walked by cursor: each record once, and back in the opposite order. */
async function checkWalks(t: Test, app: FastifyInstance, runs: number): Promise<void> {
  const Listed = app.models.get('Listed')
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 1, maxLength: 14 }),
    orders,
    fc.integer({ min: 1, max: 4 }),
    async (records, order, limit) => {
      await Listed.destroyAll()
      await Listed.create(records.map((each, at) => ({ ...each, id: at + 1 })))
      const forth = await walk(app, queryOf({ order, limit }), 'next')
      const ids = idsOf(forth)
      const all = records.map((_, at) => at + 1)
      if (ids.toSorted((a, b) => a - b).join() !== all.join()) throw new Error(`walked ${ids.join()}`)
      const last = forth.at(-1)?.links['prev']
      const back = last === undefined ? [] : await walk(app, last, 'prev')
      const seen = back.flatMap(({ rows }) => rows.toReversed().map(({ id }) => id)).toReversed()
      const expected = ids.slice(0, ids.length - (forth.at(-1)?.rows.length ?? 0))
      if (seen.join() !== expected.join()) throw new Error(`walked back ${seen.join()} of ${ids.join()}`)
    }
  )
  await t.resolves(fc.assert(property, { numRuns: runs }))
}

/** Records come and go during a walk: each one that stays is seen once. */
async function checkChanges(t: Test, app: FastifyInstance, runs: number): Promise<void> {
  const Listed = app.models.get('Listed')
  const change = fc.record({
    adds: fc.array(record, { maxLength: 3 }),
    removes: fc.array(fc.nat(30), { maxLength: 3 })
  })
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 5, maxLength: 14 }),
    orders,
    fc.array(change, { minLength: 1, maxLength: 4 }),
    async (records, order, changes) => {
      await Listed.destroyAll()
      await Listed.create(records.map((each, at) => ({ ...each, id: at + 1 })))
      const removed = new Set<number>()
      const left = [...changes]
      let nextId = 1000
      const pages = await walk(app, queryOf({ order, limit: 2 }), 'next', async () => {
        const { adds, removes } = left.shift() ?? { adds: [], removes: [] }
        for (const id of removes) removed.add(id)
        await Listed.destroyAll({ id: { inq: removes } })
        for (const each of adds) await Listed.create({ ...each, id: nextId++ })
      })
      const seen = idsOf(pages)
      if (new Set(seen).size !== seen.length) throw new Error(`seen twice: ${seen.join()}`)
      const stayed = records.map((_, at) => at + 1).filter((id) => !removed.has(id))
      const missed = stayed.filter((id) => !seen.includes(id))
      if (missed.length > 0) throw new Error(`not seen: ${missed.join()} of ${seen.join()}`)
    }
  )
  await t.resolves(fc.assert(property, { numRuns: runs }))
}

async function checkPages(t: Test, app: FastifyInstance): Promise<void> {
  const Listed = app.models.get('Listed')
  await Listed.destroyAll()
  await Listed.create([1, 2, 3, 4, 5].map((id) => ({ id, rank: id % 2, title: `t${id}` })))
  const first = await getPage(app, queryOf({ order: 'rank DESC', limit: 2, fields: ['id'] }), 'count=exact, links')
  t.same(first.rows, [{ id: 1 }, { id: 3 }], 'fields leave the order out')
  t.equal(first.total, '5')
  const second = await getPage(app, first.links['next'] ?? '', 'count=exact, links')
  t.same(second.rows, [{ id: 5 }, { id: 2 }])
  t.equal(second.total, '5', 'the cursor does not count')
  t.same(Object.keys(second.links).toSorted(), ['first', 'next', 'prev'])
  const third = await getPage(app, second.links['next'] ?? '')
  t.same(third.rows, [{ id: 4 }])
  t.notOk(third.links['next'])
  t.same((await getPage(app, second.links['prev'] ?? '')).rows, first.rows)
  const some = queryOf({ where: { rank: 1 }, limit: 1 })
  t.equal((await getPage(app, some, 'count=estimated')).total, '3', 'what the condition leaves')
}

/**
 * Pages by cursor, totals and links alike over a connector. The model `Listed` is migrated in an empty place.
 * @param runs how many random walks are made
 */
export async function listTests(t: Test, connector: Connector, runs = 60): Promise<void> {
  const app = await start(t, connector)
  await checkPages(t, app)
  await checkWalks(t, app, runs)
  await checkChanges(t, app, runs)
}
