// A process of its own that serves the models of the race tests from a database: `race-server.js connector export url`.
import { type ModelDefinition, migrate, modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import { fileURLToPath } from 'node:url'

const text = { type: 'string', length: 40 }
const id = { type: 'string', id: true, length: 40 }

const models: readonly ModelDefinition[] = [
  { name: 'Doc', public: true, forceId: false, properties: { id, text: 'string' } },
  { name: 'Account', public: true, properties: { email: { ...text, unique: true }, name: text } },
  { name: 'Label', public: true, properties: { name: text, rank: 'number' } },
  { name: 'Counter', public: true, remoting: { sharedMethods: { updateAll: true } }, properties: { n: 'number' } },
  { name: 'Author', public: true, relations: { tags: { type: 'hasAndBelongsToMany', model: 'Tag' } } },
  { name: 'Tag', public: true, relations: { authors: { type: 'hasAndBelongsToMany', model: 'Author' } } },
  { name: 'Member', public: true, relations: { clubs: { type: 'hasMany', model: 'Club', through: 'Entry' } } },
  { name: 'Club', public: true, relations: { members: { type: 'hasMany', model: 'Member', through: 'Entry' } } },
  { name: 'Entry', public: true }
]

async function serve([connector = '', name = '', url = '']: readonly string[]): Promise<void> {
  // As the connectors of the suite export it. Hundreds wait for their few connections.
  const { [name]: connect } = (await import(connector)) as Record<string, (settings: object) => Connector>
  if (connect === undefined) throw new Error(`${connector} does not export ${name}`)
  const app = Fastify()
  await app.register(modelwire, { dataSources: { db: connect({ url, connectTimeout: 60_000 }) }, models })
  await app.register(relations)
  await app.register(rest, { batch: true })
  app.get<{ Params: { model: string } }>('/rows/:model', ({ params }) => app.models.get(params.model).count())
  await app.listen({ host: '127.0.0.1', port: 0 })
  await migrate(app.models)
  process.on('disconnect', () => void app.close())
  process.send?.(app.listeningOrigin)
}

// A door of the package that is only imported serves nothing.
if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(process.argv.slice(2))
