import { memory } from '@modelwire/connector-memory'
import { sqlite } from '@modelwire/connector-sqlite'
import { migrate, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { deny, makeApp, rule } from '../make-app.ts'
import { onMongodb } from '../worlds/on-mongodb.ts'

type Parts = Pick<ModelDefinition, 'relations' | 'properties'>

/** How a path of relations leads from an item to its users. */
export interface Path {
  readonly rows: string
  readonly item: Parts
  /** What an item holds so that it is the first user's, and the second's. */
  readonly holds: readonly [object, object]
  /** Joins item 1 and 2 to the first user and item 3 to the second, where others hold what joins them. */
  readonly join?: (app: FastifyInstance) => Promise<unknown>
}

const hasMany = (model: string, foreignKey: string, more: object = {}) => ({
  type: 'hasMany',
  model,
  foreignKey,
  ...more
})
const belongsTo = (model: string, foreignKey: string) => ({ type: 'belongsTo', model, foreignKey })

/** Users 1 and 2 are members of the organisation, project and team of their number. */
const others: readonly ModelDefinition[] = [
  { name: 'Organisation', relations: { members: hasMany('User', 'organisationId') } },
  {
    name: 'Project',
    relations: { members: hasMany('User', 'projectId', { through: 'Membership', keyThrough: 'userId' }) }
  },
  {
    name: 'Membership',
    relations: { project: belongsTo('Project', 'projectId'), user: belongsTo('User', 'userId') }
  },
  {
    name: 'Share',
    relations: { shared: { type: 'belongsTo', polymorphic: true }, user: belongsTo('User', 'userId') }
  },
  { name: 'Line', relations: { user: belongsTo('User', 'userId') }, properties: { id: { type: 'number', id: true } } }
]

const keyed = (key: string): Path['holds'] => [{ [key]: 1 }, { [key]: 2 }]
const usersOfItems = [1, 1, 2]

export const paths: Readonly<Record<string, Path>> = {
  belongsTo: {
    rows: 'keeper',
    item: { relations: { keeper: belongsTo('User', 'keeperId') } },
    holds: keyed('keeperId')
  },
  'belongsTo, hasMany': {
    rows: 'organisation.members',
    item: { relations: { organisation: belongsTo('Organisation', 'organisationId') } },
    holds: keyed('organisationId')
  },
  'belongsTo, hasManyThrough': {
    rows: 'project.members',
    item: { relations: { project: belongsTo('Project', 'projectId') } },
    holds: keyed('projectId')
  },
  hasAndBelongsToMany: {
    rows: 'watchers',
    item: { relations: { watchers: { type: 'hasAndBelongsToMany', model: 'User' } } },
    holds: [{}, {}],
    join: (app) => app.models.get('ItemUser').create(usersOfItems.map((userId, at) => ({ itemId: at + 1, userId })))
  },
  'polymorphic hasMany, belongsTo': {
    rows: 'shares.user',
    item: { relations: { shares: { type: 'hasMany', model: 'Share', polymorphic: 'shared' } } },
    holds: [{}, {}],
    join: (app) =>
      app.models
        .get('Share')
        .create([
          ...usersOfItems.map((userId, at) => ({ sharedId: at + 1, sharedType: 'Item', userId })),
          { sharedId: 3, sharedType: 'Shelf', userId: 1 }
        ])
  },
  referencesMany: {
    rows: 'editors',
    item: { relations: { editors: { type: 'referencesMany', model: 'User', foreignKey: 'editorIds' } } },
    holds: [{ editorIds: [1] }, { editorIds: [2] }]
  },
  'embedsMany, belongsTo': {
    rows: 'lines.user',
    item: { relations: { lines: { type: 'embedsMany', model: 'Line' } } },
    holds: [{ _lines: [{ id: 1, userId: 1 }] }, { _lines: [{ id: 1, userId: 2 }] }]
  }
}

export const connectors = {
  memory: async () => memory(),
  SQLite: async () => sqlite({ file: ':memory:' }),
  MongoDB: async (t: Test) => (await onMongodb(t))()
}

/** With ids that are counted, which MongoDB does where they are declared. */
const counted = (model: ModelDefinition): ModelDefinition => ({
  ...model,
  properties: { id: { type: 'number', id: true, generated: true }, ...model.properties }
})

/** The models of a path: items on a shelf, each with a tag. */
export function modelsOf(rows: string, item: Parts): readonly ModelDefinition[] {
  return [
    {
      name: 'Item',
      plural: 'items',
      properties: { label: 'string', ...item.properties },
      relations: { shelf: belongsTo('Shelf', 'shelfId'), ...item.relations },
      acls: [deny, rule('$everyone', 'ALLOW', { accessType: 'EXECUTE', rows })]
    },
    { name: 'Shelf', plural: 'shelves', relations: { items: hasMany('Item', 'shelfId') } },
    { name: 'Tag', plural: 'tags', relations: { item: belongsTo('Item', 'itemId') } },
    ...others.map((model) => ({ public: false, ...model }))
  ]
}

/** Items a and b are the first user's, c is the second's; all stand on shelf 1, tag 1 to 3 are on them. */
export async function makeItems(
  t: Test,
  { rows, item, holds, join }: Path,
  connector: Connector
): Promise<FastifyInstance> {
  const users = { name: 'User', properties: { name: 'string', organisationId: 'number' } }
  const app = await makeApp(t, modelsOf(rows, item).map(counted), {}, { connector, users: counted(users) })
  await app.ready()
  if (app.models.typeOf('Item').dataSource?.connector.name !== 'memory') await migrate(app.models)
  const { models } = app
  for (const id of [1, 2]) {
    await models.get('Organisation').create({})
    await models.get('Project').create({})
    await models.get('User').create({ name: `u${id}`, organisationId: id })
    await models.get('Membership').create({ projectId: id, userId: id })
  }
  await models.get('Shelf').create({})
  const [first, second] = holds
  const held = [first, first, second]
  await models.get('Item').create(held.map((more, at) => ({ label: 'abc'[at], shelfId: 1, ...more })))
  await models.get('Tag').create([1, 2, 3].map((itemId) => ({ itemId })))
  await join?.(app)
  return app
}
