import { documentProblems, clientProblems, injectFetch, runClient } from '@modelwire/explorer-tests'
import t, { type Test } from 'tap'
import { buildServer } from '#src/server.ts'

async function start(t: Test) {
  const app = await buildServer()
  t.teardown(() => app.close())
  return { app, document: (await app.inject('/explorer/openapi.json')).json<object>() }
}

t.test('two validators find nothing wrong with the document of the shop', async (t) => {
  t.strictSame(await documentProblems((await start(t)).document), [])
})

/** A client with `work` inside, which leaves its findings in `found`. */
const client = (work: string): string => `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.d.ts'
type Schemas = components['schemas']
export async function run(fetch: (request: Request) => Promise<Response>): Promise<unknown> {
  const client = createClient<paths>({ baseUrl: 'http://shop.test/api', fetch })
  ${work}
}`

t.test('a client that is typed by the document compiles and works', async (t) => {
  const { app, document } = await start(t)
  const source = client(`
  const filter: Schemas['ProductFilter'] = {
    where: { price: { lt: 50 }, tags: 'gift', inStock: true },
    order: 'price DESC',
    limit: 2,
    include: ['category', { relation: 'reviews', scope: { order: 'stars DESC' } }]
  }
  const products = await client.GET('/Products', { params: { query: { filter: JSON.stringify(filter) } } })
  const prices: number[] | undefined = products.data?.map(({ price }) => price)
  const category: string | undefined = products.data?.[0]?.category?.name
  const stars: number | undefined = products.data?.[0]?.reviews?.[0]?.stars
  const created = await client.POST('/Categories', { body: { name: 'Toys' } })
  const id: number | undefined = created.data?.id
  const read = await client.GET('/Categories/{id}', { params: { path: { id: id ?? 0 } } })
  const count = await client.GET('/Categories/{id}/products/count', { params: { path: { id: 1 } } })
  const order = await client.POST('/Orders', { body: { customerId: 1, lines: [{ productId: 1, quantity: 2 }] } })
  const total: number | null | undefined = order.data?.total
  const refused = await client.POST('/Reviews', { body: { productId: 1, customerId: 2, stars: 9, text: 'x' } })
  const code: string | undefined = refused.error?.error.code
  return { prices, category, stars, name: read.data?.name, count: count.data?.count, total, code }`)
  t.strictSame(await runClient({ document, source, fetch: injectFetch(app) }), {
    prices: [49, 29.5],
    category: 'Kitchen',
    stars: 2,
    name: 'Toys',
    count: 5,
    total: 49,
    code: 'VALIDATION_FAILED'
  })
})

t.test('a client that asks for what the shop does not have is told so by the compiler', async (t) => {
  const { document } = await start(t)
  const wrong = [
    "await client.GET('/Produkts')",
    "const filter: Schemas['ProductFilter'] = { where: { price: { below: 3 } } }",
    "await client.POST('/Categories', { body: { nam: 'Toys' } })",
    "const { data } = await client.GET('/Products/{id}', { params: { path: { id: 1 } } })",
    'return [filter, data?.purchasePrice]'
  ]
  const problems = await clientProblems({ document, source: client(wrong.join('\n')) })
  const lines = new Set(problems.map((problem) => /^line (\d+)/.exec(problem)?.[1]))
  // All but the fourth, which asks for a product.
  t.strictSame(lines, new Set(['7', '8', '9', '11']))
})
