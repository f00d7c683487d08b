import { modelwire, type ModelDefinition } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { expectedRows, type PlainRequest, type ResultRow, type Sale, writeRequest } from './oracle.ts'
import { requests, sales } from './random-requests.ts'

const exact = { dataType: 'decimal(30,2)' }

const modelWith = (timeType: string | undefined): ModelDefinition => ({
  name: 'Sale',
  public: true,
  forceId: false,
  aggregate: true,
  properties: {
    id: { type: 'number', id: true },
    shop: 'string',
    units: 'integer',
    price: 'number',
    amount: { type: 'string', postgresql: exact, mysql: exact, mongodb: { dataType: 'decimal128' } },
    paid: 'boolean',
    at: timeType === undefined ? 'date' : { type: 'date', postgresql: { dataType: timeType } }
  }
})

/** How often the suite asks, and what the database cannot do. */
export interface AggregateTestsOptions {
  readonly numRuns?: number
  /** False where the database under test has no exact numbers that it can sum. */
  readonly decimals?: boolean
  /** The type of the column of times on PostgreSQL; the default one of the connector when absent. */
  readonly timeType?: string
}

async function start(t: Test, connector: Connector, model: ModelDefinition): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: connector }, models: [model] })
  await connector.migrate?.([app.models.typeOf('Sale')], { empty: true })
  await app.register(rest, { prefix: '/api' })
  return app
}

/** Averages of floating numbers may differ in their last digit. */
function isClose(found: unknown, expected: unknown): boolean {
  if (typeof found !== 'number' || typeof expected !== 'number') return found === expected
  return found === expected || Math.abs(found - expected) <= 1e-12 * Math.abs(expected)
}

function isSame(found: readonly ResultRow[], expected: readonly ResultRow[]): boolean {
  return (
    found.length === expected.length &&
    expected.every((row, at) => {
      const names = Object.keys(row)
      const other = found[at] ?? {}
      return (
        Object.keys(other).join() === names.join() && names.every((name) => isClose(other[name], row[name] ?? null))
      )
    })
  )
}

async function checkRequest(app: FastifyInstance, stored: readonly Sale[], request: PlainRequest): Promise<void> {
  const written = JSON.stringify(writeRequest(request))
  const answer = await app.inject(`/api/Sales/aggregate?filter=${encodeURIComponent(written)}`)
  if (answer.statusCode !== 200) throw new Error(`${written}: ${answer.body}`)
  const [found, expected] = [answer.json<ResultRow[]>(), expectedRows(stored, request)]
  if (!isSame(found, expected))
    throw new Error(`${written}\n found ${JSON.stringify(found)}\n expected ${JSON.stringify(expected)}`)
}

/**
 * Random requests for sums and groups over HTTP, compared with the same in plain code. The connector's database has nothing else.
 */
export async function aggregateTests(
  t: Test,
  connector: Connector,
  { numRuns = 200, decimals = true, timeType }: AggregateTestsOptions = {}
): Promise<void> {
  const app = await start(t, connector, modelWith(timeType))
  const Sales = app.models.get('Sale')
  const perData = 50
  const lists = fc.array(requests(decimals), { minLength: perData, maxLength: perData })
  const { failed, errorInstance, seed } = await fc.check(
    fc.asyncProperty(sales, lists, async (stored, list) => {
      await Sales.destroyAll()
      const known = decimals ? stored : stored.map((sale): Sale => ({ ...sale, amount: null }))
      await Sales.create(known.map((sale) => ({ ...sale })))
      for (const each of list) await checkRequest(app, known, each)
    }),
    { numRuns: Math.ceil(numRuns / perData), endOnFailure: true }
  )
  // The records are left out of the report: there are many.
  t.notOk(
    failed,
    `${numRuns} requests, seed ${seed}: ${errorInstance instanceof Error ? errorInstance.message : 'as expected'}`
  )
}
