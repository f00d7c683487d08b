import { memory } from '@modelwire/connector-memory'
import type { ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { sqlite } from '@modelwire/connector-sqlite'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'

const open = [deny, rule('$everyone', 'ALLOW', { accessType: 'READ' })]

/** Everybody sees products and tags; of reviews and links a caller sees his own, and of reviews not their notes. */
const models: readonly ModelDefinition[] = [
  {
    name: 'Product',
    properties: { name: 'string' },
    acls: open,
    relations: {
      reviews: { type: 'hasMany', model: 'Review' },
      best: { type: 'hasOne', model: 'Review' },
      tags: { type: 'hasMany', model: 'Tag', through: 'Tagging' }
    }
  },
  {
    name: 'Review',
    properties: { stars: 'number', notes: 'string', userId: 'number' },
    acls: [
      deny,
      rule('$everyone', 'ALLOW', { accessType: 'READ', rows: '$owner', fields: { read: { except: ['notes'] } } })
    ],
    relations: { product: { type: 'belongsTo', model: 'Product' }, answers: { type: 'hasMany', model: 'Answer' } }
  },
  { name: 'Answer', properties: { text: 'string' }, acls: [deny] },
  { name: 'Tag', properties: { label: 'string' }, acls: open },
  {
    name: 'Tagging',
    properties: { userId: 'number' },
    acls: [deny, rule('$everyone', 'ALLOW', { accessType: 'READ', rows: '$owner' })],
    relations: { product: { type: 'belongsTo', model: 'Product' }, tag: { type: 'belongsTo', model: 'Tag' } }
  }
] as readonly ModelDefinition[]

const products = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
// Those of the caller come first, so that both servers give them the same ids.
const reviews = [
  { productId: 1, stars: 5, userId: 1, notes: 'x' },
  { productId: 3, stars: 4, userId: 1 },
  { productId: 3, stars: 3, userId: 1 },
  { productId: 1, stars: 1, userId: 2, notes: 'y' },
  { productId: 1, stars: 2, userId: 2 },
  { productId: 2, stars: 1, userId: 2 },
  { productId: 3, stars: 1, userId: 2 }
]
const taggings = [
  { productId: 1, tagId: 1, userId: 2 },
  { productId: 2, tagId: 1, userId: 1 },
  { productId: 2, tagId: 2, userId: 2 },
  { productId: 4, tagId: 2, userId: 2 }
]

/** A server that holds only what the predicate lets through of records that have an owner. */
async function fill(t: Test, connector: Connector, shows: (userId: number) => boolean): Promise<FastifyInstance> {
  const app = await makeApp(t, models, {}, { connector })
  await app.ready()
  const { models: registry } = app
  const attached = [...registry.names()].map((name) => registry.typeOf(name)).filter(({ dataSource }) => dataSource)
  await connector.migrate?.(attached, { empty: true })
  await registry.get('Product').create(products)
  await registry.get('Tag').create([{ label: 'red' }, { label: 'blue' }])
  await registry.get('Review').create(reviews.filter(({ userId }) => shows(userId)))
  await registry.get('Tagging').create(taggings.filter(({ userId }) => shows(userId)))
  return app
}

const stars = [{}, { stars: 1 }, { stars: { gt: 2 } }, { stars: { neq: 5 } }, { 'product.reviews.count': 1 }]
const counts = [{ eq: 0 }, { gt: 0 }, { lt: 2 }, { between: [1, 2] }, { inq: [0, 2] }, { nin: [1] }]

const wheres: readonly object[] = [
  ...stars.flatMap((where) => [
    { reviews: { some: where } },
    { reviews: { none: where } },
    { reviews: { every: where } },
    { nor: [{ reviews: { every: where } }] },
    { best: { none: where } },
    ...counts.map((count) => ({ reviews: { count: { ...count, where } } }))
  ]),
  ...counts.flatMap((count) => [{ reviews: { count } }, { tags: { count } }]),
  ...[{}, { label: 'red' }].flatMap((where) => [
    { tags: { some: where } },
    { tags: { none: where } },
    { tags: { every: where } }
  ]),
  { reviews: null },
  { best: { neq: null } },
  { best: null },
  { tags: null }
]

const filters: readonly object[] = [
  ...wheres.map((where) => ({ where })),
  { order: 'reviews.count' },
  { order: ['tags.count DESC', 'reviews.count DESC'] },
  { include: { relation: 'reviews', count: true } },
  { include: { relation: 'tags', count: true } },
  { include: { relation: 'reviews', count: true, scope: { where: { stars: { lt: 3 } } } } },
  { include: { relation: 'reviews', scope: { where: { product: { reviews: { count: { gt: 1 } } } } } } }
]

async function ask(app: FastifyInstance, filter: object, path = '/Products'): Promise<string> {
  const url = `/api${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
  const { statusCode, payload } = await app.inject({ url, headers: { user: '1' } })
  return `${statusCode} ${payload}`
}

const connectors: Readonly<Record<string, () => Connector>> = {
  memory: () => memory(),
  SQLite: () => sqlite({ file: ':memory:' })
}

for (const [name, create] of Object.entries(connectors)) {
  void t.test(
    `${name}: operators of relations answer as if records that a caller may not see were not there`,
    async (t) => {
      const all = await fill(t, create(), () => true)
      const own = await fill(t, create(), (userId) => userId === 1)
      const idsAway = (text: string): string => text.replaceAll(/("reviews":\[\{.*?"id":)\d+/g, '$1')
      for (const filter of filters) {
        const answer = idsAway(await ask(all, filter))
        t.match(answer, /^200 /, JSON.stringify(filter))
        t.equal(answer, idsAway(await ask(own, filter)), JSON.stringify(filter))
      }
    }
  )

  void t.test(`${name}: conditions on what a caller may not read are refused by every operator`, async (t) => {
    const app = await fill(t, create(), () => true)
    for (const test of [{ answers: null }, { answers: { count: 0 } }, { answers: { every: { text: 'x' } } }])
      for (const operator of ['some', 'none', 'every'])
        t.match(await ask(app, { where: { reviews: { [operator]: test } } }), /^40[13] /, JSON.stringify(test))
    for (const test of [
      { none: { notes: 'x' } },
      { every: { notes: 'x' } },
      { some: { notes: 'x' } },
      { count: { gt: 0, where: { notes: 'x' } } }
    ])
      t.match(await ask(app, { where: { reviews: test } }), /^40[13] /, JSON.stringify(test))
    for (const filter of [
      { order: 'answers.count' },
      { include: { relation: 'answers', count: true } },
      { where: { answers: { count: { gt: 1 } } } }
    ])
      t.match(await ask(app, filter, '/Reviews'), /^40[13] /, JSON.stringify(filter))
    const hidden = { include: { relation: 'reviews', count: true, scope: { where: { notes: 'x' } } } }
    t.match(await ask(app, hidden), /^40[13] /)
  })
}
