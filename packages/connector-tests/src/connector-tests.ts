import type { Collection, Connector, ModelType } from '@modelwire/core/connector'
import type { Test } from 'tap'
import { aggregateCases } from './cases/aggregate-cases.ts'
import { boundCases } from './cases/bound-cases.ts'
import { filterCases } from './cases/filter-cases.ts'
import { integrityCases } from './cases/integrity-cases.ts'
import { numberCases } from './cases/number-cases.ts'
import { orderCases } from './cases/order-cases.ts'
import { partCases } from './cases/part-cases.ts'
import { recordCases } from './cases/record-cases.ts'
import { roundTripCases } from './cases/round-trip-cases.ts'
import { uniqueCases } from './cases/unique-cases.ts'
import { textCases } from './cases/text-cases.ts'
import { typeCases } from './cases/type-cases.ts'
import { defineFixtureModels } from './fixtures.ts'
import type { CaseContext, RunCase, TestCase } from './test-case.ts'

/** The connector under test. */
export interface ConnectorTestsOptions {
  readonly name: string
  /**
   * Makes a connector whose database has no records of the given models. The suite attaches the models, connects, and
   * disconnects when the case is over.
   */
  readonly create: (models: readonly ModelType[]) => Connector | Promise<Connector>
  /** Cases that the connector answers in a way of its own, by name, and what shows it. */
  readonly differences?: Readonly<Record<string, RunCase>>
}

const cases: readonly TestCase[] = [
  ...recordCases,
  ...integrityCases,
  ...uniqueCases,
  ...filterCases,
  ...orderCases,
  ...boundCases,
  ...partCases,
  ...typeCases,
  ...textCases,
  ...numberCases,
  ...roundTripCases,
  ...aggregateCases
]

/** Runs the suite that every connector must pass: one test per case, each with a connector of its own. */
export async function connectorTests(
  t: Test,
  { name, create, differences = {} }: ConnectorTestsOptions
): Promise<void> {
  const unknown = Object.keys(differences).filter((key) => !cases.some((each) => each.name === key))
  t.same(unknown, [], 'every case that differs exists')
  for (const each of cases) {
    // One after the other: connectors may share a database.
    const own = differences[each.name]
    const run: TestCase = own === undefined ? each : { name: each.name, run: own }
    const title = `${name}: ${each.name}${own === undefined ? '' : ' (differs)'}`
    // Properties send thousands of statements, on machines that have other work as well.
    await t.test(title, { timeout: 120_000 }, async (t) => runCase(t, run, create))
  }
}

async function runCase(t: Test, { run }: TestCase, create: ConnectorTestsOptions['create']): Promise<void> {
  const { registry, models } = defineFixtureModels()
  const connector = await create(Object.values(models))
  t.teardown(() => connector.disconnect())
  registry.addDataSource('db', connector)
  for (const { name } of Object.values(models)) registry.attach(name, 'db')
  await connector.connect()
  await run(t, { models, collections: collectionsOf(models) })
}

function collectionsOf({ Item, Coupon, Session, Note, Member }: CaseContext['models']): CaseContext['collections'] {
  return {
    Item: collectionOf(Item),
    Coupon: collectionOf(Coupon),
    Session: collectionOf(Session),
    Note: collectionOf(Note),
    Member: collectionOf(Member)
  }
}

function collectionOf({ name, collection }: ModelType): Collection {
  if (collection === undefined) throw new Error(`${name} is not attached`)
  return collection
}
