import { ModelRegistry } from '@modelwire/core'
import type { Collection } from '@modelwire/core/connector'
import { mysql } from '@modelwire/connector-mysql'
import { silentServerTest } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t, { type Test } from 'tap'

const skip = await whyNoServer()

/** What readers are told where the server says this, by number. */
const told: Readonly<Record<number, string>> = {
  1020: '409 TRANSACTION_CONFLICT',
  1040: '503 DATA_SOURCE_UNAVAILABLE',
  1047: '503 DATA_SOURCE_UNAVAILABLE',
  1105: '500 DATABASE_FAILED',
  1114: '507 DATABASE_FULL',
  1146: '500 DATABASE_SCHEMA_MISSING',
  1180: '503 DATA_SOURCE_UNAVAILABLE',
  1203: '503 DATA_SOURCE_UNAVAILABLE',
  1205: '409 TRANSACTION_CONFLICT',
  1213: '409 TRANSACTION_CONFLICT',
  1227: '500 DATABASE_PERMISSION_DENIED',
  1264: '400 VALUE_REFUSED',
  1290: '503 DATA_SOURCE_UNAVAILABLE',
  1317: '503 STATEMENT_TIMEOUT',
  1369: '422 CONSTRAINT_VIOLATED',
  1451: '422 CONSTRAINT_VIOLATED',
  1644: '422 CONSTRAINT_VIOLATED',
  1792: '503 DATA_SOURCE_UNAVAILABLE',
  1836: '503 DATA_SOURCE_UNAVAILABLE',
  3101: '409 TRANSACTION_CONFLICT'
}

const fail = `create function fail(number int) returns text no sql
  begin signal sqlstate 'HY000' set mysql_errno = number, message_text = 'on purpose'; return ''; end`

/** The records of a view, over one connection. */
function open(t: Test, url: string, name: string): Collection {
  const registry = new ModelRegistry()
  registry.addDataSource('db', mysql({ url, connectionLimit: 1 }))
  registry.define({ name, strict: true, properties: { id: { type: 'number', id: true }, note: 'string' } })
  registry.attach(name, 'db')
  t.teardown(() => registry.disconnect())
  const { collection } = registry.typeOf(name)
  if (collection === undefined) throw new Error(`${name} is not attached`)
  return collection
}

const findOne = async (collection: Collection, value: number): Promise<unknown> =>
  collection.find({ where: { kind: 'test', path: ['id'], test: 'equals', value }, order: [], skip: 0 })

/** A view that says on which connection it is read, and fails with the number that is asked for as an id. */
async function createView(t: Test): Promise<string> {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const numbers = Object.keys(told).join(' union all select ')
  const rows = `select 0 as id, connection_id() as note union all select n, fail(n) from Numbers`
  await runOn(
    url,
    fail,
    `create view Numbers as select ${numbers.replace(/^\d+/, '$& as n')}`,
    `create view Fault as ${rows}`
  )
  return url
}

void t.test('whatever the server says has a code', { skip, timeout: 60_000 }, async (t) => {
  const faults = open(t, await createView(t), 'Fault')
  for (const [number, expected] of Object.entries(told)) {
    const [statusCode, code] = expected.split(' ')
    await t.rejects(findOne(faults, Number(number)), { code, statusCode: Number(statusCode) }, number)
  }
})

void t.test('a host that is of no use is left for another one', { skip }, async (t) => {
  const faults = open(t, await createView(t), 'Fault')
  const connection = async (): Promise<unknown> => findOne(faults, 0)
  const first = await connection()
  await t.rejects(findOne(faults, 1105), { code: 'DATABASE_FAILED' })
  t.same(await connection(), first, 'another error changes nothing')
  for (const number of [1047, 1290, 1836]) {
    const before = await connection()
    await t.rejects(findOne(faults, number), { code: 'DATA_SOURCE_UNAVAILABLE' })
    t.notSame(await connection(), before, `${number}: another connection`)
  }
})

silentServerTest((port) => mysql({ url: `mysql://root@127.0.0.1:${port}/nothing`, connectTimeout: 200 }))
