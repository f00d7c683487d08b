import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'

const Category = defineModel(
  'Category',
  Type.Object({ name: Type.String({ unique: true }), parentId: Type.Optional(Type.Integer()) }),
  { relations: { parent: { type: 'belongsTo', model: 'Category', foreignKey: 'parentId' } } }
)
const Product = defineModel(
  'Product',
  Type.Object({
    sku: Type.String({ unique: true, minLength: 3 }),
    price: Type.Number({ minimum: 0 }),
    since: Type.Optional(Type.Date()),
    sizes: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
    categoryId: Type.Integer()
  }),
  { relations: { category: { type: 'belongsTo', model: 'Category' } } }
)
const Review = defineModel(
  'Review',
  Type.Object({ text: Type.String(), stars: Type.Optional(Type.Integer()), productId: Type.Integer() }),
  { relations: { product: { type: 'belongsTo', model: 'Product' } } }
)
const Tag = defineModel('Tag', Type.Object({ name: Type.String(), owner: Type.String() }), {
  indexes: { nameOfOwner: { keys: { owner: 1, name: 1 }, options: { unique: true } } }
})
// Each has a key of the other one.
const Team = defineModel(
  'Team',
  Type.Object({ name: Type.String({ unique: true }), leaderId: Type.Optional(Type.Integer()) }),
  {
    relations: { leader: { type: 'belongsTo', model: 'Member', foreignKey: 'leaderId' } }
  }
)
const Member = defineModel('Member', Type.Object({ name: Type.String({ unique: true }), teamId: Type.Integer() }), {
  relations: { team: { type: 'belongsTo', model: 'Team' } }
})
const Egg = defineModel('Egg', Type.Object({ name: Type.String(), henId: Type.Integer() }), {
  relations: { hen: { type: 'belongsTo', model: 'Hen' } }
})
const Hen = defineModel('Hen', Type.Object({ name: Type.String(), eggId: Type.Integer() }), {
  relations: { egg: { type: 'belongsTo', model: 'Egg' } }
})

/** Everything that the shop stores. */
export const models = { Category, Product, Review, Tag, Team, Member, Egg, Hen }

/** A shop without routes. */
export async function makeShop(t: Test, db: Connector = memory()): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db }, models })
  await app.register(relations)
  await app.ready()
  return app
}

/** Writes a folder with seeds, which is removed with the test: values are JSON, texts are written as they are. */
export function writeSeeds(t: Test, files: Readonly<Record<string, unknown>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-seeds-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return dir
}
