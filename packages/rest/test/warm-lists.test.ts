import { memory } from '@modelwire/connector-memory'
import { type ModelDefinition, modelwire } from '@modelwire/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { rest, type RestOptions } from '#src/index.ts'

const properties = { name: 'string', price: 'number', kind: 'string' }

/** An application with three products; closed with the test. */
async function serve(t: Test, model: Partial<ModelDefinition> = {}, options: RestOptions = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  const models = [{ name: 'Product', public: true, properties, ...model }]
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(rest, { prefix: '/api', ...options })
  await app.models.get('Product').create([
    { name: 'a', price: 1, kind: 'x' },
    { name: 'b', price: 2, kind: 'x' },
    { name: 'c', price: 3, kind: 'y' }
  ])
  return app
}

const url = '/api/Products?filter={"where":{"price":{"gt":1}},"order":"price DESC","limit":20}'

/** The names that the list gives; the code of its error. */
async function list(app: FastifyInstance): Promise<unknown> {
  const answer: unknown = (await app.inject(url)).json()
  return Array.isArray(answer) ? answer.map(({ name }) => name) : answer
}

/** Asks until everything that is kept of the list is there. */
async function warm(t: Test, app: FastifyInstance, names: readonly string[]): Promise<void> {
  for (let count = 0; count < 3; count++) t.strictSame(await list(app), names)
}

t.test('a list that is asked for again shows what was stored since', async (t) => {
  const app = await serve(t)
  await warm(t, app, ['c', 'b'])
  await app.models.get('Product').create({ name: 'd', price: 2.5 })
  await app.models.get('Product').updateAll({ name: 'b' }, { price: 0 })
  t.strictSame(await list(app), ['c', 'd'])
})

t.test('observers of access and loaded that come later are asked, and are gone once they are removed', async (t) => {
  const app = await serve(t)
  await warm(t, app, ['c', 'b'])
  const Product = app.models.get('Product')
  const seen: unknown[] = []
  Product.observe('access', ({ query, hookState }) => {
    hookState['asked'] = true
    Object.assign(query ?? {}, { where: { kind: 'x' } })
  })
  Product.observe('loaded', ({ data, hookState }) => {
    seen.push(hookState['asked'])
    Object.assign(data ?? {}, { name: `${String(data?.['name'])}!` })
  })
  await warm(t, app, ['b!', 'a!'])
  t.strictSame(seen, Array(6).fill(true))
  Product.clearObservers('access')
  t.strictSame(await list(app), ['c!', 'b!'])
  Product.clearObservers('loaded')
  t.strictSame(await list(app), ['c', 'b'])
})

t.test('the bounds of an answer hold for a list that was small before', async (t) => {
  const app = await serve(t, {}, { answer: { records: 2 } })
  await warm(t, app, ['c', 'b'])
  await app.models.get('Product').create({ name: 'd', price: 4 })
  t.match(await list(app), { error: { statusCode: 400, code: 'ANSWER_TOO_LARGE' } })
  await app.models.get('Product').deleteById(2)
  await warm(t, app, ['d', 'c'])
})

t.test('a default scope that is a function counts as it is at each request', async (t) => {
  // Of what a scope names, new records get the values.
  let kind: string | undefined
  const app = await serve(t, { scope: () => (kind === undefined ? {} : { where: { kind } }) })
  await warm(t, app, ['c', 'b'])
  kind = 'x'
  await warm(t, app, ['b'])
  kind = 'y'
  await warm(t, app, ['c'])
})
