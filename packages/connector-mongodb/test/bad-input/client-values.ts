import { modelwire, type ModelDefinition } from '@modelwire/core'
import { startOwnServer } from '@modelwire/connector-tests/mongodb'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import * as fc from 'fast-check'
import Fastify from 'fastify'
import type { Test } from 'tap'
import { mongodb } from '#src/mongodb.ts'
import { checkCommand } from './check-command.ts'
import { clientRequest, marker } from './client-requests.ts'

const item: ModelDefinition = {
  name: 'Item',
  dataSource: 'db',
  public: true,
  forceId: false,
  remoting: { sharedMethods: { updateAll: true } },
  mongodb: { allowExtendedOperators: true },
  properties: {
    id: { type: 'string', id: true, generated: false },
    name: 'string',
    price: 'number',
    tags: ['string'],
    meta: 'object',
    place: 'geopoint',
    parentId: 'string'
  },
  relations: {
    parent: { type: 'belongsTo', model: 'Item', foreignKey: 'parentId' },
    children: { type: 'hasMany', model: 'Item', foreignKey: 'parentId', options: { nestRemoting: true } },
    parts: { type: 'embedsMany', model: 'Part', property: 'parts', options: { forceId: false } }
  }
}
/** Without relations and operators of code: what clients patch is one command. */
const note: ModelDefinition = {
  name: 'Note',
  public: true,
  dataSource: 'other',
  properties: { id: { type: 'string', id: true }, name: 'string' }
}
const embedded: ModelDefinition = {
  name: 'Part',
  dataSource: null,
  properties: { id: { type: 'string', id: true }, n: 'any' }
}

async function open(t: Test) {
  const server = await startOwnServer()
  const app = Fastify({ routerOptions: { maxParamLength: 2000 } })
  t.teardown(async () => {
    await app.close()
    await server.stop()
  })
  const url = `${server.url}/clients`
  const dataSources = { db: mongodb({ url, allowExtendedOperators: true }), other: mongodb({ url }) }
  await app.register(modelwire, { dataSources, models: [item, note, embedded], shutdownTime: 0 })
  await app.register(relations)
  await app.register(rest, { prefix: '/api' })
  await app.ready()
  await app.models.get('Item').create([
    { id: 'first', name: 'a', parts: [{ id: '1', n: 1 }], place: { lat: 1, lng: 2 } },
    { id: '5f0a5f0a5f0a5f0a5f0a5f01', name: 'b', parentId: 'first' }
  ])
  await app.models.get('Note').create({ id: 'first', name: 'a' })
  server.commands.length = 0
  return { app, server }
}

/** The values that stand somewhere in a command. */
function textsIn(part: unknown): readonly string[] {
  if (typeof part === 'string') return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : []
}

/**
 * Sends requests of a client who would like to reach the database, and checks that each is answered, or refused with a code, and that
 * the commands which arrive hold operators of the connector alone, and values of the client where values stand.
 */
export async function checkClientValues(t: Test, runs: number): Promise<void> {
  const { app, server } = await open(t)
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const property = fc.asyncProperty(clientRequest, async (request) => {
    const { statusCode, body } = await app.inject(request)
    if (statusCode >= 500 || (statusCode >= 400 && !/"code":"\w+"/.test(body))) throw new Error(`${statusCode} ${body}`)
    for (const command of server.commands.splice(0)) {
      checkCommand(command)
      if (textsIn(command).some((text) => text.startsWith(marker))) throw new Error(JSON.stringify(command))
      count(Object.keys(command)[0] ?? '')
    }
    count(statusCode < 400 ? 'answered' : 'refused')
  })
  await fc.assert(property, { numRuns: runs })
  for (const what of ['find', 'aggregate', 'insert', 'update', 'findAndModify', 'answered', 'refused'])
    t.ok((seen.get(what) ?? 0) > 0, `${what}, of ${JSON.stringify(Object.fromEntries(seen))}`)
}
