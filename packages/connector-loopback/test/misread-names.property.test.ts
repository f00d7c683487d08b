import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { loopback } from '#src/loopback.ts'

// MongoDB reads `role.admin` in an update as a path, and LoopBack's connectors write an undeclared name into the column of that
// name, which another property may have: neither may set what clients are kept from.

type Callback = (error: unknown, result?: unknown) => void
type Stored = Record<string, unknown>

/** Columns by property, as the connector maps them. */
const columns: Readonly<Record<string, string>> = { secret: 's', balance: 'b', id: '_id' }

const stored = (): Stored => ({ _id: '1', role: { admin: false }, s: 'mine', b: 1, note: 'x' })

/** Carries out an update as MongoDB does: names with dots are paths, and `$set` is an operator. */
function applyUpdate(row: Stored, data: Stored): void {
  for (const [name, value] of Object.entries(data)) {
    if (name === '$set') applyUpdate(row, value as Stored) // an operator has an object
    else setPath(row, name.split('.'), value)
  }
}

function setPath(row: Stored, [name = '', ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) row[name] = value
  else if (typeof row[name] === 'object' && row[name] !== null) setPath(row[name] as Stored, below, value)
}

const toColumns = (data: Stored): Stored =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [columns[name] ?? name, value]))

const toProperties = ({ _id: id, s: secret, b: balance, ...others }: Stored): Stored => ({
  ...others,
  id,
  secret,
  balance
})

function mongoLike(row: Stored) {
  const update = (data: Stored, callback: Callback): void => {
    applyUpdate(row, toColumns(data))
    callback(null, { count: 1 })
  }
  return {
    name: 'mongodb',
    getDefaultIdType: () => String,
    create: (_m: string, _data: object, _o: object, callback: Callback) => callback(null, '2'),
    all: (_m: string, _f: object, _o: object, callback: Callback) => callback(null, [toProperties(row)]),
    count: (_m: string, _w: object, _o: object, callback: Callback) => callback(null, 1),
    update: (_m: string, _w: object, data: Stored, _o: object, callback: Callback) => update(data, callback),
    updateAttributes: (_m: string, _id: string, data: Stored, _o: object, callback: Callback) => update(data, callback),
    replaceById: (_m: string, _id: string, data: Stored, _o: object, callback: Callback) => update(data, callback),
    destroy: (_m: string, _id: string, _o: object, callback: Callback) => callback(null)
  }
}

const item: ModelDefinition = {
  name: 'Item',
  public: true,
  strict: false,
  hidden: ['secret'],
  remoting: { sharedMethods: { updateAll: true } },
  properties: {
    id: { type: 'string', id: true, generated: true },
    role: { type: 'object', readOnly: true },
    secret: { type: 'string', readOnly: true, mongodb: { fieldName: 's' } },
    balance: { type: 'number', readOnly: true, mongodb: { columnName: 'b' } },
    note: 'string'
  }
} as object as ModelDefinition // connectors read settings that no type declares

async function serve(t: Test) {
  const row = stored()
  const initialize = (dataSource: object, callback: () => void): void => {
    Object.assign(dataSource, { connector: mongoLike(row) })
    process.nextTick(callback)
  }
  const app = Fastify()
  t.teardown(() => app.close())
  const dataSources = { db: loopback({ initialize }) }
  await app.register(modelwire, { version: 2, dataSources, models: [item], shutdownTime: 0 })
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  return { app, row }
}

const guarded = ['role', 'role.admin', 's', 's.x', 'b', '_id', 'secret', 'balance', '$set', 'role.x.y']
const anyName = fc.oneof(
  fc.constantFrom(...guarded),
  fc.constantFrom('note', 'extra'),
  fc.string({ minLength: 1, maxLength: 8 })
)
const anyData = fc.dictionary(anyName, fc.oneof(fc.boolean(), fc.string(), fc.dictionary(anyName, fc.boolean())), {
  maxKeys: 3
})
const writes = [
  ['PATCH', '/1'],
  ['PUT', '/1'],
  ['POST', '/1/replace'],
  ['POST', '/update?where={"note":"x"}'],
  ['POST', '/upsertWithWhere?where={"note":"x"}']
] as const

void t.test('no name in data of a client sets what clients may not set', async (t) => {
  const { app, row } = await serve(t)
  const property = fc.asyncProperty(fc.constantFrom(...writes), anyData, async ([method, path], data) => {
    await app.inject({ method, url: `/api/Items${path}`, payload: data })
    const { _id, role, s, b } = row
    t.strictSame({ _id, role, s, b }, { _id: '1', role: { admin: false }, s: 'mine', b: 1 }, `${method} ${path}`)
    Object.assign(row, stored())
  })
  await fc.assert(property, { numRuns: runs(200) })
})

void t.test('such names are refused, and those of other properties are stored', async (t) => {
  const { app, row } = await serve(t)
  for (const name of ['role.admin', 's', 'b', '_id', 'note.x', '$set']) {
    const { statusCode, body } = await app.inject({ method: 'PATCH', url: '/api/Items/1', payload: { [name]: true } })
    t.equal(statusCode, 400, name)
    t.match(body, 'PROPERTY_NAME_REFUSED')
  }
  const { statusCode } = await app.inject({ method: 'PATCH', url: '/api/Items/1', payload: { note: 'y', extra: 1 } })
  t.equal(statusCode, 200)
  t.match(row, { note: 'y', extra: 1 })
  await app.models.get('Item').updateAll({ id: '1' }, { 'role.admin': true })
  t.match(row, { role: { admin: true } }, 'code of the application may use a path')
})
