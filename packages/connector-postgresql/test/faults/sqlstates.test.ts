import { ModelRegistry } from '@modelwire/core'
import type { Collection, Connector } from '@modelwire/core/connector'
import { postgresql } from '@modelwire/connector-postgresql'
import { createTestDatabase, runOn } from '@modelwire/connector-tests/postgresql'
import t, { type Test } from 'tap'
import { postgresqlFault } from '#src/postgresql-fault.ts'

/** What readers are told where the server says this. */
const told: Readonly<Record<string, string>> = {
  '08006': '503 DATA_SOURCE_UNAVAILABLE',
  '0A000': '500 DATABASE_FAILED',
  '22012': '400 VALUE_REFUSED',
  '23514': '422 CONSTRAINT_VIOLATED',
  '25006': '503 DATA_SOURCE_UNAVAILABLE',
  '28000': '503 DATA_SOURCE_UNAVAILABLE',
  '40001': '409 TRANSACTION_CONFLICT',
  '40003': '503 DATA_SOURCE_UNAVAILABLE',
  '40P01': '409 TRANSACTION_CONFLICT',
  '42501': '500 DATABASE_PERMISSION_DENIED',
  '42883': '500 DATABASE_FAILED',
  '42P01': '500 DATABASE_SCHEMA_MISSING',
  '44000': '422 CONSTRAINT_VIOLATED',
  '53100': '507 DATABASE_FULL',
  '53200': '503 DATA_SOURCE_UNAVAILABLE',
  '53300': '503 DATA_SOURCE_UNAVAILABLE',
  '54000': '400 ANSWER_TOO_LARGE',
  '55P03': '503 STATEMENT_TIMEOUT',
  '57014': '503 STATEMENT_TIMEOUT',
  '57P01': '503 DATA_SOURCE_UNAVAILABLE',
  '57P02': '503 DATA_SOURCE_UNAVAILABLE',
  '57P03': '503 DATA_SOURCE_UNAVAILABLE',
  '58030': '503 DATA_SOURCE_UNAVAILABLE',
  '72000': '409 TRANSACTION_CONFLICT',
  P0001: '422 CONSTRAINT_VIOLATED',
  XX000: '500 DATABASE_FAILED'
}

const fail = `create function fail(code text) returns text language plpgsql as $$
  begin raise exception using errcode = code, message = 'on purpose'; end $$`

/** The records of a view or table with an id and a note, over one connection. */
function open(t: Test, url: string, name: string): Collection {
  const connector = postgresql({ url, max: 1 })
  t.teardown(() => connector.disconnect())
  return openOn(connector, name)
}

function openOn(connector: Connector, name: string): Collection {
  const registry = new ModelRegistry()
  registry.addDataSource('db', connector)
  registry.define({ name, strict: true, properties: { id: { type: 'string', id: true }, note: 'string' } })
  registry.attach(name, 'db')
  const { collection } = registry.typeOf(name)
  if (collection === undefined) throw new Error(`${name} is not attached`)
  return collection
}

const findOne = async (collection: Collection, value: string): Promise<unknown> =>
  collection.find({ where: { kind: 'test', path: ['id'], test: 'equals', value }, order: [], skip: 0 })

void t.test('whatever the server says has a code', { timeout: 60_000 }, async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const states = Object.keys(told).map((code) => `'${code}'`)
  await runOn(url, fail, `create view fault as select id, fail(id) as note from unnest(array[${states.join()}]) id`)
  const faults = open(t, url, 'Fault')
  for (const [state, expected] of Object.entries(told)) {
    const [statusCode, code] = expected.split(' ')
    await t.rejects(findOne(faults, state), { code, statusCode: Number(statusCode) }, state)
  }
})

void t.test('a host that only reads is left for another one', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const readOnly = (setting: string) =>
    `do $$ begin execute format('alter database %I ${setting}', current_database()); end $$`
  await runOn(url, 'create table entry (id text primary key, note text)')
  await runOn(url, readOnly('set default_transaction_read_only = on'))
  const entries = open(t, url, 'Entry')
  t.same(await entries.find({ order: [], skip: 0 }), [])
  const insert = async (): Promise<unknown> => entries.insert([{ id: 'a', note: 'x' }])
  await runOn(url, 'set default_transaction_read_only = off', readOnly('reset default_transaction_read_only'))
  // The connection was opened before.
  await t.rejects(insert, { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503, cause: { code: '25006' } })
  t.match(await insert(), [{ id: 'a' }], 'on another connection')
})

void t.test('a commit that fails gives the connection of its transaction back', async (t) => {
  const { url, drop } = await createTestDatabase()
  t.teardown(() => drop())
  const reference = 'note text references entry (id) deferrable initially deferred'
  await runOn(url, `create table entry (id text primary key, ${reference})`)
  const connector = postgresql({ url, max: 1, connectTimeout: 1000 })
  t.teardown(() => connector.disconnect())
  const entries = openOn(connector, 'Entry')
  const begun = await connector.beginTransaction?.()
  await begun?.run(async () => entries.insert([{ id: 'a', note: 'nobody' }]))
  await t.rejects(begun?.commit() ?? Promise.resolve(), { code: 'CONSTRAINT_VIOLATED' })
  t.equal(await entries.count(undefined), 0, 'the only connection is free')
})

void t.test(
  'a transaction whose statements were prepared before their table changed is no fault of its own',
  async (t) => {
    const { url, drop } = await createTestDatabase()
    t.teardown(() => drop())
    await runOn(url, 'create table entry (id text primary key, note text)')
    const connector = postgresql({ url, max: 1 })
    t.teardown(() => connector.disconnect())
    const entries = openOn(connector, 'Entry')
    const change = async (type: string) => runOn(url, `alter table entry alter column note type ${type}`)
    const read = async (): Promise<unknown> => findOne(entries, 'a')
    await read()
    await change('varchar(20)')
    const begun = await connector.beginTransaction?.()
    await t.rejects(begun?.run(read) ?? Promise.resolve(), { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
    await t.rejects(begun?.commit() ?? Promise.resolve(), { code: 'DATA_SOURCE_UNAVAILABLE' })
    await read()
    await change('text')
    t.same(await connector.transaction?.(read), [], 'one that may run again does')
  }
)

void t.test('a server that lets nobody in can be reached: the start says what it refuses', async (t) => {
  const database = await createTestDatabase()
  t.teardown(() => database.drop())
  const fault = { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 }
  const elsewhere = (change: (url: URL) => void): Connector => {
    const url = new URL(database.url)
    change(url)
    const connector = postgresql({ url: url.href, max: 1 })
    t.teardown(() => connector.disconnect())
    return connector
  }
  const nobody = elsewhere((url) => (url.username = 'modelwire_nobody'))
  await t.rejects(nobody.connect(), { ...fault, message: /refuses the user or password/ })
  const nowhere = elsewhere((url) => (url.pathname = '/modelwire_nowhere'))
  await t.rejects(nowhere.connect(), { ...fault, message: /no database of this name/ })
  const password = Object.assign(new Error('password authentication failed'), { code: '28P01' })
  t.same(postgresqlFault(password), { kind: 'login' })
  const words = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  t.same(postgresqlFault(words), { kind: 'login' }, 'a password that the settings leave out')
})
