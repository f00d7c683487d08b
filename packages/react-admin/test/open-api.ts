import { memory } from '@modelwire/connector-memory'
import { defineModel, modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { modelwireDataProvider, type ModelwireDataProviderOptions } from '#src/index.ts'

const Product = defineModel(
  'Product',
  Type.Object({
    name: Type.String({ minLength: 2 }),
    price: Type.Number({ minimum: 0 }),
    tags: Type.Optional(Type.Array(Type.String())),
    size: Type.Optional(Type.Object({ width: Type.Number(), height: Type.Number() })),
    supplier: Type.Optional(Type.String()),
    gone_eq: Type.Optional(Type.Boolean())
  }),
  { public: true, optimisticLocking: true }
)
const Part = defineModel('Part', Type.Object({ code: Type.String({ id: true }), weight: Type.Number() }), {
  public: true
})
const Price = defineModel(
  'Price',
  Type.Object({ shop: Type.String({ id: true }), region: Type.String({ id: true }), amount: Type.Number() }),
  { public: true }
)
const Guarded = defineModel('Guarded', Type.Object({ text: Type.String() }), {
  public: true,
  plural: 'Guarded',
  optimisticLocking: { property: 'revision', requireIfMatch: true }
})

/** A request as the server got it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly filter: unknown
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export type InjectFetch = (url: string, init: RequestInit) => Promise<Response>

/** An API in this process, a function that sends requests to it without a port, and the requests that it got. */
export async function openApi(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models: [Product, Part, Price, Guarded] })
  await app.register(rest, { prefix: '/api' })
  const seen: Seen[] = []
  app.addHook('preHandler', async ({ method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const filter = JSON.parse(searchParams.get('filter') ?? 'null')
    seen.push({ method, path: pathname, filter, headers, body })
  })
  const fetch: InjectFetch = async (url, { method = 'GET', headers, body, signal }) => {
    signal?.throwIfAborted()
    const answer = await app.inject({
      method: method as 'GET', // one of those that the provider sends
      url,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { payload: body } : {})
    })
    const texts = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string])
    return new Response(answer.statusCode === 204 ? null : answer.body, { status: answer.statusCode, headers: texts })
  }
  return { app, seen, fetch }
}

/** The same with a data provider, and a list of products in it: A1 to A9, whose prices are 1 to 9. */
export async function openShop(t: Test, options: ModelwireDataProviderOptions = {}) {
  const api = await openApi(t)
  await api.app.models
    .get('Product')
    .create(Array.from({ length: 9 }, (_, at) => ({ name: `A${at + 1}`, price: at + 1 })))
  return { ...api, provider: modelwireDataProvider('/api', { fetch: api.fetch, ...options }) }
}
