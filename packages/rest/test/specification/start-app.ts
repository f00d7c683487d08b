import { memory } from '@modelwire/connector-memory'
import { type CoreOptions, type ModelDefinition, modelwire } from '@modelwire/core'
import { rest, type RestOptions } from '@modelwire/rest'
import Fastify, { type FastifyInstance } from 'fastify'

/** What a test of the specification varies. */
export interface AppParts {
  readonly models: readonly ModelDefinition[]
  readonly core?: Partial<CoreOptions>
  readonly rest?: RestOptions
}

/** A model with the properties that most clauses need. */
export const product: ModelDefinition = {
  name: 'Product',
  public: true,
  properties: { name: { type: 'string', required: true }, price: 'number', cost: { type: 'number', hidden: true } }
}

/** A server with models below /api, closed when the test is over. */
export function startApp(t: { teardown: (handler: () => unknown) => void }, parts: AppParts): FastifyInstance {
  const app = Fastify()
  app.register(modelwire, { dataSources: { db: memory() }, models: parts.models, ...parts.core })
  app.register(rest, { prefix: '/api', ...parts.rest })
  t.teardown(() => app.close())
  return app
}

/** Sends JSON and gives the status with the body, if there is one. */
export async function send(app: FastifyInstance, call: string, payload?: object): Promise<[number, unknown]> {
  const [method = 'GET', url = '/'] = call.split(/ (.*)/s)
  // `call` starts with a verb.
  const answer = await app.inject({
    method: method as 'GET',
    url: `/api${url}`,
    ...(payload === undefined ? {} : { payload })
  })
  return [answer.statusCode, answer.body === '' ? undefined : answer.json<unknown>()]
}
