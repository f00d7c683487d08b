import { modelwire, type ModelDefinition } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { openModels, type SqlCase, type TransactionTestsOptions } from './sql-case.ts'

const bare: ModelDefinition = {
  name: 'SqlDraft',
  public: true,
  strict: true,
  forceId: false,
  properties: { id: { type: 'number', id: true, generated: true }, title: 'string', pages: 'number', sent: 'date' }
}
/** It has a column that another program made. */
const dyed: ModelDefinition = { ...bare, properties: { ...bare.properties, colour: 'string', size: 'number' } }

const addColumns = [
  "alter table SqlDraft add column colour varchar(20) default 'red'",
  'alter table SqlDraft add column size integer'
]

/** A model whose table has a column with a default of the database. */
async function openDyed(t: Test, options: TransactionTestsOptions): ReturnType<typeof openModels> {
  const { registry } = await openModels(t, options, [bare])
  for (const statement of addColumns) await registry.dataSources.get('db')?.connector.execute?.(statement)
  return openModels(t, options, [dyed], { migrates: false })
}

async function serve(t: Test, { create }: TransactionTestsOptions): Promise<FastifyInstance> {
  await openDyed(t, { name: '', create })
  const server = Fastify()
  t.teardown(() => server.close())
  await server.register(modelwire, { dataSources: { db: create({}) }, models: [dyed] })
  await server.register(rest, { prefix: '/api' })
  return server
}

/** What clients are answered is what is stored. */
export const answerCases: readonly SqlCase[] = [
  {
    name: 'rows that are inserted come back as they are stored, in one statement where nothing is missing',
    run: async (t, options) => {
      const { registry, statements } = await openDyed(t, options)
      const { collection } = registry.typeOf('SqlDraft')
      const whole = { title: 'a', pages: 1, sent: null, colour: 'blue', size: 1 }
      // The first statement of a table may ask for its columns.
      t.same(await collection?.insert([{ ...whole }]), [{ id: 1, ...whole }])
      for (const rows of [
        [{ ...whole }],
        [{}],
        [{ title: 'b' }],
        [{ title: 'c', colour: null }],
        [{ title: 'd' }, { pages: 3 }, {}],
        [{ title: 'e', colour: 'green' }, { title: 'f' }],
        [{ id: 90, title: 'g' }, { title: 'h' }, { id: 92 }]
      ]) {
        const stored = await collection?.insert(rows.map((row) => ({ ...row })))
        for (const row of stored ?? []) t.same(row, await collection?.findById(Number(row['id'])), JSON.stringify(rows))
      }
      statements.length = 0
      await collection?.insert([{ ...whole }])
      t.equal(statements.length, 1)
      statements.length = 0
      await collection?.insert([{ title: 'a', colour: 'blue' }])
      t.equal(statements.length, 1, 'what has no default is null')
    }
  },
  {
    name: 'creates, replacements and patches of the collection answer what a read of the record answers',
    run: async (t, options) => {
      const server = await serve(t, options)
      const send = async (request: InjectOptions): Promise<Record<string, unknown>> => {
        const { body, statusCode } = await server.inject(request)
        t.equal(statusCode, 200, body)
        return JSON.parse(body) as Record<string, unknown> // the answers are objects
      }
      const url = '/api/SqlDrafts'
      for (const request of [
        { method: 'POST', url, payload: { title: 'a' } },
        { method: 'PUT', url, payload: { id: 1, pages: 2 } },
        { method: 'PUT', url, payload: { id: 70, pages: 2 } },
        { method: 'PATCH', url, payload: { id: 1, title: 'b' } },
        { method: 'PATCH', url, payload: { id: 71, title: 'c' } },
        { method: 'PUT', url: `${url}/1`, payload: { pages: 3 } },
        { method: 'POST', url: `${url}/upsertWithWhere?where={"title":"new"}`, payload: { title: 'new' } },
        { method: 'POST', url: `${url}/1/replace`, payload: { colour: 'blue' } }
      ] as const) {
        const answered = await send(request)
        const read = await send({ method: 'GET', url: `${url}/${String(answered['id'])}` })
        t.same(answered, read, `${request.method} ${request.url} ${JSON.stringify(request.payload)}`)
        t.equal(Object.keys(answered).length, Object.keys(dyed.properties ?? {}).length)
      }
    }
  }
]
