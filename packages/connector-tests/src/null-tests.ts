import { defineModel, ModelRegistry } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import * as fc from 'fast-check'
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'

/** The connector under test. */
export interface NullTestsOptions {
  readonly name: string
  /** Makes a connector to a database that this run has for itself. */
  readonly create: () => Connector
  /** How many models are tried. */
  readonly runs: number
}

interface Property {
  readonly base: { readonly schema: TSchema; readonly values: readonly unknown[] }
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly hasDefault: boolean
}

/** Schemas, and values that may be wrong: the first one is right. */
const bases: readonly Property['base'][] = [
  { schema: Type.String(), values: ['a', ''] },
  { schema: Type.Integer(), values: [7, 0] },
  { schema: Type.Number(), values: [1.5, -2, Infinity] },
  { schema: Type.Boolean(), values: [false, true] },
  { schema: Type.Union([Type.Literal('a'), Type.Literal('b')]), values: ['b', 'a', 'c'] },
  { schema: Type.Array(Type.Number()), values: [[1], [], [1, null]] },
  { schema: Type.Array(Type.Boolean()), values: [[true], [null]] },
  { schema: Type.Array(Type.Union([Type.String(), Type.Null()])), values: [['a', null], [null]] },
  {
    schema: Type.Object({ a: Type.Integer(), b: Type.Optional(Type.Number()) }),
    values: [{ a: 1 }, { a: null }, { a: 1, b: Infinity }, { a: 1, b: null }]
  },
  {
    schema: Type.Record(Type.String(), Type.Unknown()),
    values: [{ x: 1 }, { x: { y: null } }, { x: [1, Infinity] }]
  }
]

const property: fc.Arbitrary<Property> = fc.record({
  base: fc.constantFrom(...bases),
  isOptional: fc.boolean(),
  isNullable: fc.boolean(),
  hasDefault: fc.boolean()
})

function schemaOf({ base, isOptional, isNullable, hasDefault }: Property): TSchema {
  const allowed = isNullable ? Type.Union([base.schema, Type.Null()]) : base.schema
  const schema = hasDefault ? { ...allowed, default: base.values[0] } : allowed
  return isOptional ? Type.Optional(schema) : schema
}

type Data = Readonly<Record<string, unknown>>

interface Case {
  readonly properties: Readonly<Record<string, Property>>
  readonly records: readonly Data[]
}

const cases: fc.Arbitrary<Case> = fc.array(property, { minLength: 1, maxLength: 4 }).chain((list) => {
  const properties = Object.fromEntries(list.map((each, at) => [`p${at}`, each]))
  const values = Object.entries(properties).map(
    ([name, { base }]) => [name, fc.constantFrom(undefined, null, ...base.values)] as const
  )
  const record: fc.Arbitrary<Data> = fc.record(Object.fromEntries(values))
  return fc.record({ properties: fc.constant(properties), records: fc.array(record, { minLength: 4, maxLength: 8 }) })
})

/** What is stored for a value that is sent: absent is the default, or null where that is allowed; null may stand for absent. */
function completed({ base, isOptional, isNullable, hasDefault }: Property, value: unknown): unknown {
  if (value === undefined && hasDefault) return base.values[0]
  if (value === undefined && !isOptional && isNullable) return null
  return value === null && isOptional && !isNullable && !hasDefault ? undefined : value
}

const isFinite = (value: unknown): boolean => isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)

async function open({ properties }: Case, create: NullTestsOptions['create']) {
  const registry = new ModelRegistry()
  const connector = create()
  registry.addDataSource('db', connector)
  const schemas: TProperties = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, schemaOf(each)])
  )
  registry.define(defineModel('Nulls', Type.Object(schemas)))
  registry.attach('Nulls', 'db')
  await registry.connect()
  await connector.migrate?.([registry.typeOf('Nulls')], { empty: true })
  return { registry, connector, schemas }
}

/** A column is nullable exactly where null, or nothing, may be stored. */
async function checkColumns({ discovery }: Connector, { properties }: Case): Promise<void> {
  const [table] = (await discovery?.listTables({})) ?? []
  if (discovery === undefined || table === undefined) return
  const found = new Map((await discovery.listColumns(table.name, {})).map((each) => [each.columnName, each.nullable]))
  for (const [name, { isNullable, isOptional, hasDefault }] of Object.entries(properties))
    assert.equal(found.get(name), isNullable || (isOptional && !hasDefault) ? 'Y' : 'N', `the column ${name}`)
}

async function tryRecord(
  { properties }: Case,
  record: Data,
  { registry, schemas }: Pick<Awaited<ReturnType<typeof open>>, 'registry' | 'schemas'>
): Promise<void> {
  const Nulls = registry.get('Nulls')
  const entries = Object.entries(properties).map(([name, one]) => [name, completed(one, record[name])] as const)
  const wanted = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  const isValid = Value.Check(Type.Object(schemas), wanted) && isFinite(wanted)
  const made = await Nulls.create({ ...record }).catch((error: unknown) => error)
  const answer: unknown = made instanceof Error ? Reflect.get(made, 'code') : 'taken'
  assert.equal(answer, isValid ? 'taken' : 'VALIDATION_FAILED', JSON.stringify(record))
  if (made instanceof Error) return
  const stored = (await Nulls.findById(Reflect.get(Object(made), 'id')))?.toJSON() ?? {}
  for (const [name, value] of entries) assert.deepEqual(Reflect.get(stored, name) ?? null, value ?? null, name)
}

async function tryCase(each: Case, create: NullTestsOptions['create']): Promise<void> {
  const { registry, connector, schemas } = await open(each, create)
  try {
    await checkColumns(connector, each)
    for (const record of each.records) await tryRecord(each, record, { registry, schemas })
  } finally {
    await registry.disconnect()
  }
}

/**
 * What a schema says of null and of what is absent holds for what is taken, for the column, and for what is read back:
 * random schemas are asked by TypeBox itself.
 */
export async function nullTests(t: Test, { name, create, runs }: NullTestsOptions): Promise<void> {
  await t.test(`${name}: null is stored exactly where the schema allows it`, async () =>
    fc.assert(
      fc.asyncProperty(cases, async (each) => tryCase(each, create)),
      { numRuns: runs }
    )
  )
}
