import { modelwire, planMigration, type ModelDefinition } from '@modelwire/core'
import { discoveryOf } from '@modelwire/core/connector'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { openModels, type SqlCase, type SqlTestsOptions } from './sql-case.ts'

const bare: ModelDefinition = {
  name: 'SqlParcel',
  public: true,
  strict: true,
  properties: { id: { type: 'number', id: true, generated: true }, weight: { type: 'integer', required: true } }
}

/** Columns that another program made, with values of the database's own. */
const filled: Readonly<Record<string, string>> = {
  twice: 'integer generated always as (weight * 2)',
  state: "varchar(20) default 'new' not null"
}

/** Columns whose types store some values in another form. */
const rounding: Readonly<Record<string, string>> = {
  price: 'decimal(12, 4)',
  amount: 'decimal(12, 4)',
  code: 'char(6)',
  day: 'date',
  short: 'varchar(5)'
}

const filledModel: ModelDefinition = {
  ...bare,
  properties: { ...bare.properties, twice: { type: 'integer', required: true, generated: true }, state: 'string' }
}

const roundingModel: ModelDefinition = {
  ...bare,
  properties: { ...bare.properties, price: 'string', amount: 'number', code: 'string', day: 'date', short: 'string' }
}

/** Adds columns to the table of the bare model. SQLite only adds computed ones that are not stored. */
async function addColumns(
  t: Test,
  options: SqlTestsOptions,
  columns: Readonly<Record<string, string>>
): ReturnType<typeof openModels> {
  const opened = await openModels(t, options, [bare])
  const ending = options.mappingKey === 'sqlite3' ? ' virtual' : ' stored'
  for (const [name, type] of Object.entries(columns))
    await opened.registry.dataSources
      .get('db')
      ?.connector.execute?.(
        `alter table ${options.mappingKey === 'mysql' ? 'SqlParcel' : 'sqlparcel'} add column ${name} ${type}${type.includes('generated') ? ending : ''}`
      )
  return opened
}

/** A server of a model; `statements` are those of its database. */
async function serve(
  t: Test,
  { create }: SqlTestsOptions,
  model: ModelDefinition
): Promise<{ send: (request: InjectOptions) => Promise<Record<string, unknown>>; server: FastifyInstance }> {
  const server = Fastify()
  t.teardown(() => server.close())
  await server.register(modelwire, { dataSources: { db: create({}) }, models: [model] })
  await server.register(rest, { prefix: '/api' })
  const send = async (request: InjectOptions): Promise<Record<string, unknown>> => {
    const { body, statusCode } = await server.inject(request)
    t.equal(statusCode, 200, body)
    return JSON.parse(body) as Record<string, unknown> // the answers are objects
  }
  return { server, send }
}

const url = '/api/SqlParcels'

/** Sends requests, each of which answers what a read of the record answers. */
async function answersAsStored(
  t: Test,
  send: (request: InjectOptions) => Promise<Record<string, unknown>>,
  requests: readonly InjectOptions[]
): Promise<void> {
  for (const request of requests) {
    const answered = await send(request)
    const read = await send({ method: 'GET', url: `${url}/${String(answered['id'])}` })
    t.same(answered, read, `${String(request.method)} ${String(request.url)} ${JSON.stringify(request.payload)}`)
  }
}

/** What the database makes of what is written is what writes answer. */
export const storedCases: readonly SqlCase[] = [
  {
    name: 'computed columns are never written, and columns of the database need no value; answers show both',
    run: async (t, options) => {
      await addColumns(t, options, filled)
      const { server, send } = await serve(t, options, filledModel)
      t.match(await send({ method: 'POST', url, payload: { weight: 2 } }), { id: 1, twice: 4, state: 'new' })
      t.match(await send({ method: 'PATCH', url: `${url}/1`, payload: { weight: 3 } }), { twice: 6, state: 'new' })
      t.match(await send({ method: 'PATCH', url: `${url}/1`, payload: { state: 'sent' } }), { twice: 6, state: 'sent' })
      const whole = await send({ method: 'GET', url: `${url}/1` })
      t.same(await send({ method: 'PUT', url: `${url}/1`, payload: { ...whole, weight: 5 } }), {
        ...whole,
        weight: 5,
        twice: 10
      })
      t.match(await send({ method: 'PUT', url: `${url}/1`, payload: { weight: 6 } }), { twice: 12, state: 'sent' })
      await answersAsStored(t, send, [
        { method: 'POST', url: `${url}/upsertWithWhere?where={"weight":6}`, payload: { weight: 7 } },
        { method: 'POST', url: `${url}/upsertWithWhere?where={"weight":60}`, payload: { weight: 60 } },
        { method: 'POST', url: `${url}/1/replace`, payload: { weight: 8, twice: 1 } }
      ])
      const refused = await server.inject({ method: 'POST', url, payload: { weight: 1, twice: 3 } })
      t.match(refused.json(), { error: { statusCode: 422, details: { codes: { twice: ['read-only'] } } } })
      const many = server.inject({
        method: 'POST',
        url,
        payload: [{ weight: 1 }, { weight: 2, state: 'own' }, { weight: 3 }]
      })
      t.match((await many).json(), [
        { twice: 2, state: 'new' },
        { twice: 4, state: 'own' },
        { twice: 6, state: 'new' }
      ])
    }
  },
  {
    name: 'what a model does not know to be computed is not written either',
    run: async (t, options) => {
      await addColumns(t, options, filled)
      const plain = { ...bare, properties: { ...bare.properties, twice: 'integer' } }
      const { registry } = await openModels(t, options, [plain], { migrates: false })
      const facts = await registry.dataSources.get('db')?.connector.examine?.([registry.typeOf('SqlParcel')])
      t.match(
        facts?.filter(({ property }) => property === 'twice'),
        [{ effect: 'info', advice: /generated/ }]
      )
      const Parcel = registry.get('SqlParcel')
      const made = await Parcel.create({ weight: 2, twice: 7 })
      t.equal(made.twice, 4)
      await made.patchAttributes({ weight: 4, twice: 1 })
      t.equal(made.twice, 8)
      t.equal((await Parcel.replaceById(made.id, { weight: 5, twice: 1 })).twice, 10)
    }
  },
  {
    name: 'a required property whose column has a default is told, as is a generated one without values',
    run: async (t, options) => {
      await addColumns(t, options, { state: "varchar(20) default 'new'" })
      const state = { type: 'string', required: true }
      const model = { ...bare, properties: { ...bare.properties, state, half: { type: 'number', generated: true } } }
      const { registry } = await openModels(t, options, [model], { migrates: false })
      const facts = await registry.dataSources.get('db')?.connector.examine?.([registry.typeOf('SqlParcel')])
      t.match(
        facts?.filter(({ property, effect }) => property === 'state' && effect === 'info'),
        [{ advice: /required/ }]
      )
      const [plan] = await planMigration(registry)
      t.ok(plan?.notes.some((note) => /column half of .* has no values of the database/.test(note)))
    }
  },
  {
    name: 'discovery knows computed columns, and does not require what has a default',
    run: async (t, options) => {
      const { registry } = await addColumns(t, options, filled)
      const source = registry.dataSources.get('db')
      const tables = [options.mappingKey === 'mysql' ? 'SqlParcel' : 'sqlparcel']
      const [model] = (source && (await discoveryOf(source).discoverModels({ tables }))) ?? []
      t.match(model?.properties, { twice: { generated: true }, weight: { required: true } })
      t.notMatch(model?.properties, { state: { required: true } })
    }
  },
  {
    name: 'values that a column stores in another form are answered as they are stored, however they are written',
    run: async (t, options) => {
      await addColumns(t, options, rounding)
      const { server, send } = await serve(t, options, roundingModel)
      const odd = { price: '01.50', amount: 2.5, code: 'ab', day: '2024-05-06T23:30:00.000Z', short: 'ab' }
      await answersAsStored(t, send, [
        { method: 'POST', url, payload: { weight: 1, ...odd } },
        { method: 'PATCH', url: `${url}/1`, payload: { price: '3.0', code: 'c' } },
        { method: 'PUT', url: `${url}/1`, payload: { weight: 2, ...odd } },
        { method: 'PATCH', url, payload: { id: 1, ...odd, price: '7' } },
        { method: 'POST', url: `${url}/1/replace`, payload: { weight: 3, ...odd, price: '8' } },
        { method: 'POST', url: `${url}/upsertWithWhere?where={"weight":3}`, payload: { price: '09' } },
        { method: 'POST', url: `${url}/upsertWithWhere?where={"weight":30}`, payload: { weight: 30, price: '010' } }
      ])
      const made = await server.inject({
        method: 'POST',
        url,
        payload: [
          { weight: 40, price: '01' },
          { weight: 41, code: 'x' }
        ]
      })
      const read = await server.inject({ method: 'GET', url: `${url}?filter={"where":{"weight":{"gte":40}}}` })
      t.same(made.json(), read.json())
    }
  },
  {
    name: 'hooks and callers of code see what is stored',
    run: async (t, options) => {
      await addColumns(t, options, rounding)
      const { registry } = await openModels(t, options, [{ ...roundingModel, forceId: false }], { migrates: false })
      const Parcel = registry.get('SqlParcel')
      const seen: unknown[] = []
      Parcel.observe('after save', ({ instance }) => void seen.push(instance?.['price']))
      const parcel = await Parcel.create({ weight: 1, price: '01' })
      await parcel.patchAttributes({ price: '02' })
      await Parcel.replaceById(parcel.id, { weight: 1, price: '03' })
      const stored = (await Parcel.findById(parcel.id))?.price
      const upserted = await Parcel.upsert({ id: 77, weight: 1, price: '04' })
      t.same(upserted.toJSON(), (await Parcel.findById(77))?.toJSON(), 'one that an upsert creates')
      t.equal(seen.length, 4)
      t.equal(seen[2], stored)
      t.same(
        seen.map((value) => Number(value)),
        [1, 2, 3, 4]
      )
      if (options.mappingKey !== 'sqlite3') t.equal(seen[0], '1.0000')
    }
  },
  {
    name: 'a string that is longer than its column is refused, spaces at its end included',
    run: async (t, options) => {
      // SQLite's strings have any length.
      if (options.mappingKey === 'sqlite3') return
      await addColumns(t, options, rounding)
      const { registry } = await openModels(t, options, [roundingModel], { migrates: false })
      const Parcel = registry.get('SqlParcel')
      const refused = { code: 'VALUE_REFUSED' }
      await t.rejects(Parcel.create({ weight: 1, short: 'abc     ' }), refused)
      await t.rejects(Parcel.create({ weight: 1, short: 'abcdef' }), refused)
      await t.resolves(Parcel.create({ weight: 1, short: 'abc  ' }))
      await t.rejects(Parcel.updateAll({ short: 'abc      ' }), refused)
      await t.resolves(Parcel.create({ weight: 1, short: '😀😀😀😀😀' }))
    }
  },
  {
    name: 'writes to tables of migrations are one statement',
    run: async (t, options) => {
      const own: ModelDefinition = {
        ...bare,
        properties: {
          ...bare.properties,
          name: 'string',
          short: { type: 'string', length: 20 },
          at: 'date',
          open: { type: 'boolean', default: true },
          rank: { type: 'number', default: 1 },
          tags: ['string'],
          meta: 'object',
          place: 'geopoint',
          bytes: 'buffer'
        }
      }
      const { registry, statements } = await openModels(t, options, [own])
      const { collection } = registry.typeOf('SqlParcel')
      const row = { weight: 1, name: 'a', short: 'b', at: new Date(0), open: true, rank: 1.5, tags: ['c'], meta: {} }
      const whole = { ...row, place: { lat: 1, lng: 2 }, bytes: Buffer.from('d') }
      await collection?.insert([{ ...whole }])
      statements.length = 0
      await collection?.insert([{ ...whole }])
      await collection?.replace(1, { ...whole })
      t.equal(statements.length, 2)
      t.notOk(statements.some((statement) => /returning .*name/i.test(statement)))
    }
  }
]
