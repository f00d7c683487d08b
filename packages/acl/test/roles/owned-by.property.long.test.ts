import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, ModelRegistry, type Principal } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { repository, serverCall } from '@modelwire/core/plugin'
import { installRelations } from '@modelwire/relations'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { makeIsOwner, makeOwnsRecord, makeOwnerships } from '#src/roles/is-owner.ts'
import { makeOwnedBy } from '#src/roles/owned-by.ts'
import { onMongodb } from '../worlds/on-mongodb.ts'
import { rowsCondition } from '#src/rows/rows-condition.ts'

const types = ['number', 'string', 'any'] as const
type Type = (typeof types)[number]

const numbers = [null, 0, 1, 2, 12]
const texts = [null, '', '0', '1', '2', '01', ' 1', 'a', 'b']
const values: Readonly<Record<Type, readonly unknown[]>> = {
  number: numbers,
  string: texts,
  // Where nothing is declared, no condition tells the text "0" from the number, and a list from what it holds.
  any: [undefined, ...numbers, ...texts.filter((text) => text !== '0'), false, true, {}, { neq: 'a' }]
}

/** How things are owned. */
interface Ownership {
  /** Types of the properties that own by their name; undefined: not declared. */
  readonly userId: Type | undefined
  readonly owner: Type | undefined
  readonly strict: boolean
  readonly ownerRelations: true | readonly string[] | undefined
  /** Relations to users, in their order. */
  readonly relations: readonly {
    readonly name: string
    readonly model: 'User' | 'Customer'
    readonly byName: boolean
    readonly type: Type
  }[]
  readonly things: readonly (readonly number[])[]
}

const type = fc.constantFrom(...types)
const maybeType = fc.option(type, { nil: undefined })
const ownerships: fc.Arbitrary<Ownership> = fc.record({
  userId: maybeType,
  owner: maybeType,
  strict: fc.boolean(),
  ownerRelations: fc.constantFrom(undefined, undefined, true as const, ['author'], ['reader', 'owner']),
  relations: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('author', 'reader', 'owner'),
      model: fc.constantFrom('User', 'Customer'),
      byName: fc.boolean(),
      type
    }),
    { maxLength: 3, selector: ({ name }) => name }
  ),
  things: fc.array(fc.array(fc.nat({ max: 30 }), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 12 })
})

const principals: fc.Arbitrary<Principal | undefined> = fc.option(
  fc.record({
    userId: fc.constantFrom<string | number | undefined>(1, 2, '1', '2', 'a', 0, '0', '', undefined),
    userModel: fc.constantFrom(undefined, undefined, 'User', 'Customer')
  }),
  { nil: undefined, freq: 20 }
)

const keyOf = (name: string): string => `${name}Key`

function thingOf({ userId, owner, strict, ownerRelations, relations }: Ownership): ModelDefinition {
  const isRelation = relations.some(({ name }) => name === 'owner')
  return {
    name: 'Thing',
    strict,
    ...(ownerRelations === undefined ? {} : { ownerRelations }),
    properties: {
      id: { type: 'number', id: true },
      ...(userId === undefined ? {} : { userId }),
      ...(owner === undefined || isRelation ? {} : { owner }),
      ...Object.fromEntries(relations.map((each) => [keyOf(each.name), each.type]))
    },
    relations: Object.fromEntries(
      relations.map(({ name, model, byName }) => [
        name,
        { type: 'belongsTo', model, foreignKey: keyOf(name), ...(byName ? { primaryKey: 'name' } : {}) }
      ])
    )
  }
}

/** A thing as it is stored: values of the types that its properties declare. */
function rowOf(ownership: Ownership, places: readonly number[], id: number): Record<string, unknown> {
  const { userId, owner, strict, relations } = ownership
  const fields: [string, Type | undefined][] = relations.map((each) => [keyOf(each.name), each.type])
  fields.push(['userId', userId])
  if (!relations.some(({ name }) => name === 'owner')) fields.push(['owner', owner])
  const held = fields.flatMap(([name, kind], at): [string, unknown][] => {
    if (kind === undefined && strict) return []
    const list = values[kind ?? 'any']
    const value = list[(places[at] ?? 0) % list.length]
    return value === undefined ? [] : [[name, value]]
  })
  return { id, ...Object.fromEntries(held) }
}

async function makeThings(ownership: Ownership, connector: Connector = memory()): Promise<ModelRegistry> {
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  installRelations(registry)
  const id = { type: 'any', id: true }
  registry.define({ name: 'User', properties: { id, name: 'any' } })
  registry.define({ name: 'Customer', base: 'User' })
  registry.define(thingOf(ownership))
  for (const name of ['User', 'Customer', 'Thing']) registry.attach(name, 'db')
  registry.seal()
  await registry.connect()
  const insert = async (name: string, rows: readonly Record<string, unknown>[]): Promise<unknown> =>
    registry.typeOf(name).collection?.insert(rows)
  await insert('User', [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
    { id: 12, name: 1 }
  ])
  await insert('Customer', [
    { id: 1, name: 'b' },
    { id: 2, name: 'a' },
    { id: 'a', name: '1' }
  ])
  await insert(
    'Thing',
    ownership.things.map((places, at) => rowOf(ownership, places, at + 1))
  )
  return registry
}

/** @throws {Error} it is said of some record that the caller owns it, and by the condition that it does not, or the other way round */
async function checkCaller(registry: ModelRegistry, principal: Principal | undefined): Promise<void> {
  const users = { registry, root: 'User' }
  const owned = makeOwnerships(users)
  const [isOwner, ownedBy] = [makeIsOwner(users, makeOwnsRecord(users, owned)), makeOwnedBy(users, owned)]
  const thing = registry.typeOf('Thing')
  const where = ownedBy(thing, principal)
  const own = where === undefined ? [] : await repository.find(thing, { where }, serverCall())
  const found = new Set(own.map((each) => each['id']))
  const test = await (await rowsCondition(thing, where)).testRows()
  for (const row of (await thing.collection?.find({ order: [], skip: 0 })) ?? []) {
    const says = await isOwner({ model: thing, id: row['id'] }, principal)
    const [isFound, isMatched] = [found.has(row['id']), test?.matches(row) !== false]
    if (says !== isFound || says !== isMatched)
      throw new Error(
        `${JSON.stringify(principal)} ${says ? 'owns' : 'does not own'} ${JSON.stringify(row)}, which is ` +
          `${isFound ? '' : 'not '}found and ${isMatched ? '' : 'not '}matched by ${JSON.stringify(where)}`
      )
  }
}

/** A `like` of MongoDB finds texts alone: there the text of a number that nobody declared owns nothing in a list. */
const declared = ownerships.map((ownership): Ownership => {
  const typed = (one: Type | undefined): Type | undefined => (one === 'any' ? 'string' : one)
  const relations = ownership.relations.map((each) => ({ ...each, type: typed(each.type) ?? 'string' }))
  return { ...ownership, userId: typed(ownership.userId), owner: typed(ownership.owner), relations, strict: true }
})

for (const { name, open, generated, numRuns } of [
  { name: 'memory', open: async () => async () => memory(), generated: ownerships, numRuns: runs(200) },
  { name: 'MongoDB', open: onMongodb, generated: declared, numRuns: 12 }
])
  void t.test(
    `in ${name} a record is of a caller where the condition on own records finds it`,
    { timeout: 120_000 },
    async (t) => {
      const connector = await open(t)
      const property = fc.asyncProperty(
        generated,
        fc.array(principals, { minLength: 1 }),
        async (ownership, callers) => {
          const registry = await makeThings(ownership, await connector())
          for (const principal of callers) await checkCaller(registry, principal)
          await registry.disconnect()
        }
      )
      await fc.assert(property, { numRuns })
    }
  )

const emptyOwnership: Ownership = {
  userId: undefined,
  owner: undefined,
  strict: false,
  ownerRelations: undefined,
  relations: [],
  things: []
}

for (const [name, ids] of [
  ['User', [1, 2, 12]],
  ['Customer', [1, 2, 'a']]
] as const)
  void t.test(`accounts of ${name} are owned alike one by one and as a condition`, async (t) => {
    const registry = await makeThings(emptyOwnership)
    const users = { registry, root: 'User' }
    const owned = makeOwnerships(users)
    const [isOwner, ownedBy] = [makeIsOwner(users, makeOwnsRecord(users, owned)), makeOwnedBy(users, owned)]
    const model = registry.typeOf(name)
    for (const userModel of [undefined, 'User', 'Customer'])
      for (const userId of [1, 2, 3, 'a']) {
        const where = ownedBy(model, { userId, userModel })
        const found = where === undefined ? [] : await repository.find(model, { where }, serverCall())
        const own = await Promise.all(ids.map((id) => isOwner({ model, id }, { userId, userModel })))
        t.strictSame(
          found.map(({ id }) => id),
          ids.filter((_, at) => own[at]),
          `${String(userId)} of ${userModel}`
        )
      }
  })
