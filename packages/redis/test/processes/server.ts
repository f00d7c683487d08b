// Serves users, notes and what tests need besides, in a process of its own. `startServers` starts it.
import { acl } from '@modelwire/acl'
import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { modelwire } from '@modelwire/core'
import { relations } from '@modelwire/relations'
import { rest } from '@modelwire/rest'
import { takeTime } from '@modelwire/test-waits'
import { users } from '@modelwire/users'
import Fastify from 'fastify'
import { redisState } from '#src/index.ts'

/** The argument of this program. */
export interface ServerSettings {
  readonly database: { readonly kind: 'mysql' | 'postgresql'; readonly url: string }
  readonly shared: 'db' | { readonly url: string; readonly prefix: string }
  /** Makes the tables. */
  readonly migrates: boolean
}

// `startServers` wrote the argument.
const { database, shared, migrates } = JSON.parse(process.argv[2] ?? '{}') as ServerSettings

const connector =
  database.kind === 'mysql'
    ? mysql({ url: database.url, connectionLimit: 5 })
    : postgresql({ url: database.url, max: 5 })

// Who sends a request is what it says: tests are many clients.
const app = Fastify({ trustProxy: true })
await app.register(modelwire, {
  dataSources: { db: connector },
  sharedState: typeof shared === 'string' ? shared : redisState(shared),
  purgeInterval: 0.3,
  models: [
    {
      name: 'Note',
      public: true,
      properties: { text: 'string' },
      acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }]
    },
    { name: 'Run', properties: { process: 'number', began: 'number', ended: 'number' } }
  ]
})
await app.register(acl)
await app.register(users)
app.models.define({
  name: 'Member',
  base: 'User',
  public: true,
  saltWorkFactor: 4,
  properties: {},
  relations: { accessTokens: { type: 'hasMany', model: 'AccessToken', foreignKey: 'userId' } }
})
app.models.attach('Member', 'db')
await app.register(relations)
await app.register(rest, { prefix: '/api', idempotency: true })

const { models } = app
models.addPurge({
  name: 'runs',
  run: async () => {
    const began = Date.now()
    await takeTime(50, 'a purge that takes a while')
    await models.get('Run').create({ process: process.pid, began: began % 1e9, ended: Date.now() % 1e9 })
  }
})

app.get('/runs', async () => models.get('Run').find())
app.get('/tokens', async () => models.get('AccessToken').find())
app.post('/tokens', async ({ body }) => models.get('AccessToken').create(body as Record<string, unknown>))
app.post('/rules', async ({ body }) => models.get('ACL').create(body as Record<string, unknown>))
app.get<{ Params: { name: string; lifetime: string } }>('/leases/:name/:lifetime', async ({ params }) => ({
  isTaken: (await models.shared.lease(params.name, Number(params.lifetime))) !== undefined
}))

if (migrates) {
  const types = [...models.names()].map((name) => models.typeOf(name)).filter((type) => type.dataSource !== undefined)
  await connector.migrate?.(types, { empty: true })
}
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
