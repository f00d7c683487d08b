import { memory } from '@modelwire/connector-memory'
import { modelwire, type Model, type ModelDefinition } from '@modelwire/core'
import { allOperations, type Collection, type Connector, type ModelType } from '@modelwire/core/connector'
import { rest, type RestOptions } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'
import { relations, type RelationsOptions } from '#src/index.ts'

/** Closes what a test opened. */
interface Test {
  teardown: (close: () => unknown) => void
}

/** One call of a connector. */
export interface Call {
  readonly model: string
  readonly method: string
}

/** A model as a test reads and writes it. */
export type AnyModel = typeof Model & Record<string, (...args: unknown[]) => Promise<unknown>>

/** A server with relations, and what a test asks of it. */
export interface TestApp {
  readonly app: FastifyInstance
  /** What the connector was asked for since the last `forget`. */
  readonly calls: Call[]
  readonly model: (name: string) => AnyModel
  readonly get: (path: string, filter?: unknown) => Promise<{ status: number; body: unknown }>
  readonly send: (
    method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    body?: unknown
  ) => Promise<{ status: number; body: unknown }>
}

/** How a test's server is built. */
export interface TestOptions {
  readonly options?: RelationsOptions
  readonly compat?: boolean
  /** The connector resolves includes by itself. */
  readonly resolvesIncludes?: boolean
  /** Bounds of answers. */
  readonly answer?: RestOptions['answer']
}

/** A connector for memory that writes down what it is asked for. */
export function countingConnector(calls: Call[], resolvesIncludes: boolean): Connector {
  const inner = memory()
  const operations = resolvesIncludes ? inner.capabilities.operations : allOperations
  const counted = (model: ModelType, collection: Collection): Collection =>
    new Proxy(collection, {
      get: (target, method: string) => {
        const value: unknown = Reflect.get(target, method)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          calls.push({ model: model.name, method })
          return Reflect.apply(value, target, args) as unknown
        }
      }
    })
  return {
    name: 'counting',
    capabilities: { ...inner.capabilities, operations },
    connect: () => inner.connect(),
    disconnect: () => inner.disconnect(),
    ping: () => inner.ping(),
    collection: (model) => counted(model, inner.collection(model))
  }
}

const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** Shares the methods that change or delete many records at once, which are not public by themselves. */
function sharingMany(models: readonly ModelDefinition[]): Record<string, boolean> {
  const names = models.flatMap(({ relations: related, scopes }) => Object.keys({ ...related, ...scopes }))
  const paths = names.flatMap((name) => [name, ...names.map((inner) => `${name}__${inner}`)])
  const methods = paths.flatMap((path) => [`prototype.__delete__${path}`, `__delete__${path}`])
  return Object.fromEntries(['updateAll', ...methods].map((name) => [name, true]))
}

/** Builds a server with the models, ready to be asked. */
export async function makeApp(
  t: Test,
  models: readonly ModelDefinition[],
  { options = {}, compat = false, resolvesIncludes = false, answer = {} }: TestOptions = {}
): Promise<TestApp> {
  const app = Fastify()
  t.teardown(() => app.close())
  const calls: Call[] = []
  const db = countingConnector(calls, resolvesIncludes)
  await app.register(modelwire, {
    dataSources: { db },
    models: models.map((model) => ({ public: true, ...model })),
    compat
  })
  await app.register(relations, options)
  await app.register(rest, { prefix: '/api', sharedMethods: sharingMany(models), answer, answersXml: true })
  await app.ready()
  return {
    app,
    calls,
    model: (name) => app.models.get(name) as unknown as AnyModel,
    get: async (path, filter) => {
      const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
      const { statusCode, body } = await app.inject(`/api${path}${query}`)
      return { status: statusCode, body: parse(body) }
    },
    send: async (method, path, body) => {
      const response = await app.inject({
        method,
        url: `/api${path}`,
        ...(body === undefined ? {} : { payload: body as object })
      })
      return { status: response.statusCode, body: parse(response.body) }
    }
  }
}

/** The code in an error's body. */
export function codeOf({ body }: { body: unknown }): unknown {
  return (body as { error?: { code?: unknown } }).error?.code
}
