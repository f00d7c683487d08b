import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire, type ModelDefinition } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest, type RestOptions } from '@modelwire/rest'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'

/** Closes what a test opened. */
interface Closing {
  teardown: (close: () => unknown) => void
}

/** How a test's server is built. */
export interface TestOptions {
  readonly rest?: RestOptions
  readonly prefix?: string
  /** With users and access rules. */
  readonly guarded?: boolean
  readonly prepare?: (app: FastifyInstance) => void
}

/** A server with models, their relations and the REST API. */
export async function makeApp(
  t: Closing,
  models: readonly ModelDefinition[],
  { rest: restOptions = {}, prefix = '/api', guarded = false, prepare }: TestOptions = {}
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() }, models })
  await app.register(relations)
  if (guarded) {
    await app.register(acl)
    await app.register(users)
  }
  prepare?.(app)
  await app.register(rest, { prefix, ...restOptions })
  return app
}

/** Wines and the regions that they come from. */
export const cellar: readonly ModelDefinition[] = [
  {
    name: 'Wine',
    public: true,
    description: 'A bottle',
    properties: {
      name: { type: 'string', required: true, length: 40, description: ['what is on', 'the label'] },
      year: { type: 'number', min: 1900 },
      code: 'string',
      grapes: ['string'],
      bottledOn: 'date',
      colour: { type: 'string', enum: ['red', 'white'], default: 'red' },
      place: 'geopoint',
      meta: 'object'
    },
    hidden: ['code'],
    relations: { region: { type: 'belongsTo', model: 'Region' } }
  },
  {
    name: 'Region',
    public: true,
    properties: { code: { type: 'string', id: true, generated: false }, title: 'string' },
    relations: { wines: { type: 'hasMany', model: 'Wine' } }
  },
  { name: 'Stock', public: false, properties: { count: 'number' } }
]
