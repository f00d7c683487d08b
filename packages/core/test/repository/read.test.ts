import { memory } from '@modelwire/connector-memory'
import t from 'tap'
import { serverCall } from '#src/access/call.ts'
import { compileFilter } from '#src/filter/compile-filter.ts'
import { ModelRegistry } from '#src/registry.ts'
import { countRecords } from '#src/repository/read/find.ts'
import { readRecords } from '#src/repository/read/read.ts'
import type { QueryScope } from '#src/repository/read/read-plan.ts'
import type { Records } from '#src/repository/records/records.ts'
import { defaultQueryLimits } from '#src/limits/limits.ts'
import { clientCall } from '../client-call.ts'

async function makeModel() {
  const registry = new ModelRegistry()
  registry.addDataSource('db', memory())
  registry.define({ name: 'Book', properties: { title: 'string', year: 'number' } })
  registry.attach('Book', 'db')
  const model = registry.typeOf('Book')
  await model.modelClass.create([
    { title: 'a', year: 1 },
    { title: 'b', year: 2 },
    { title: 'c', year: 3 }
  ])
  const scopeOf = (wire: Record<string, unknown>): QueryScope => ({
    filter: compileFilter(model, wire),
    wire: () => wire
  })
  return { registry, model, scopeOf }
}

const titles = ({ rows }: Records) => rows.map(({ title }) => title)

void t.test('conditions of both hold, the scope’s limit and the caller’s order win', async (t) => {
  const { model, scopeOf } = await makeModel()
  const scope = scopeOf({ where: { year: { gt: 1 } }, limit: 1, order: 'year ASC' })
  const ask = async (filter: unknown) =>
    titles(await readRecords(model, { scope, filter, call: serverCall(), restriction: undefined }))
  t.strictSame(await ask(undefined), ['b'])
  t.strictSame(await ask({ order: 'year DESC', limit: 5 }), ['c'])
  t.strictSame(await ask({ where: { year: 1 } }), [])
  t.equal(
    await countRecords(model, { scope, filter: { year: { lt: 3 } }, call: serverCall(), restriction: undefined }),
    1
  )
  t.match(await readRecords(model, { scope, filter: undefined, call: serverCall(), restriction: undefined }), {
    rows: [{ title: 'b' }],
    single: false
  })
})

void t.test('observers of access see the whole query and may narrow it', async (t) => {
  const { model, scopeOf } = await makeModel()
  const seen: unknown[] = []
  model.hooks.observe('access', (context) => {
    seen.push(context.query)
    context.query = { ...context.query, where: { and: [context.query?.['where'], { title: 'c' }] } }
  })
  const scope = scopeOf({ where: { year: { gt: 1 } }, order: 'year ASC' })
  t.strictSame(
    titles(
      await readRecords(model, { scope, filter: { where: { year: 3 } }, call: serverCall(), restriction: undefined })
    ),
    ['c']
  )
  t.strictSame(seen, [{ where: { and: [{ year: { gt: 1 } }, { year: 3 }] }, order: 'year ASC' }])
  t.equal(await countRecords(model, { scope, filter: undefined, call: serverCall(), restriction: undefined }), 1)
})

void t.test('a client’s condition is checked, the scope’s is not', async (t) => {
  const { model, scopeOf } = await makeModel()
  model.hidden.add('year')
  const scope = scopeOf({ where: { year: 2 } })
  const asked = { call: clientCall(), restriction: undefined }
  t.strictSame(titles(await readRecords(model, { scope, filter: { where: { title: 'b' } }, ...asked })), ['b'])
  await t.rejects(async () => readRecords(model, { scope, filter: { where: { year: 2 } }, ...asked }), {
    code: 'HIDDEN_PROPERTY_IN_FILTER'
  })
})

void t.test('a frozen filter is compiled once per model', async (t) => {
  const { model, scopeOf } = await makeModel()
  const filter = Object.freeze({ where: Object.freeze({ year: 2 }) })
  const ask = async (wire: object) =>
    titles(
      await readRecords(model, { scope: scopeOf({ ...wire }), filter, call: serverCall(), restriction: undefined })
    )
  t.strictSame([await ask({}), await ask({ where: { title: 'a' } }), await ask({})], [['b'], [], ['b']])
})

void t.test('a read that is kept has the bounds of each client, and ends with the data source', async (t) => {
  const { registry, model } = await makeModel()
  registry.seal()
  const filter = Object.freeze({ order: 'year DESC' })
  const ask = async (rows: number) => {
    const call = clientCall({
      ...defaultQueryLimits,
      answer: { rows, bytes: Infinity, options: { rows: 'rows', bytes: 'bytes' } }
    })
    return titles(await readRecords(model, { filter, call, restriction: undefined }))
  }
  for (let count = 0; count < 2; count++) {
    t.strictSame(await ask(3), ['c', 'b', 'a'])
    await t.rejects(ask(2), { code: 'ANSWER_TOO_LARGE' })
  }
  model.collection = memory().collection(model)
  t.strictSame(await ask(2), [])
  model.collection = undefined
  await t.rejects(ask(2), { code: 'NOT_IMPLEMENTED' })
})
