import { generateKeyPairSync } from 'node:crypto'
import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { oauth2, type OAuth2Options } from '#src/index.ts'
import { recordOf } from '#src/server/store/records.ts'
import { recordedCallback } from './replay.ts'

/** Keys of the client `c-bearer`. */
export const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

const clients = [
  { id: 'c-bearer', name: 'Bearer App', clientSecret: 's-bearer', redirectURIs: [recordedCallback], jwks: pem },
  {
    id: 'c-limited',
    name: 'Limited App',
    clientSecret: 's-lim',
    redirectURIs: [recordedCallback],
    scopes: ['read'],
    grantTypes: ['client_credentials'],
    responseTypes: ['code']
  },
  { id: 'c-nocb', name: 'No Callback App', clientSecret: 's-nocb' },
  { id: 'c-public', name: 'Public App', clientType: 'public', redirectURIs: [recordedCallback] }
]

/** Routes that ask for tokens, as in the recording: the body says what the handler saw. */
function addResources(app: FastifyInstance): void {
  const rules = {
    '/api/prot': {},
    '/api/scoped': { scope: 'email' },
    '/api/mapped': {
      scope: {
        read: [{ methods: ['get'], path: '/api/mapped' }],
        write: [{ methods: ['post', 'put'], path: '/api/mapped' }]
      }
    }
  }
  for (const [url, access] of Object.entries(rules))
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url,
      config: { oauth2: access },
      handler: async ({ oauth2: seen }) => ({
        ok: true,
        ...(seen?.userId === undefined ? {} : { userId: seen.userId }),
        appId: seen?.clientId,
        ...(seen?.scopes.length === 0 ? {} : { scopes: seen?.scopes }),
        hdr: [],
        user: recordOf(seen?.user)['username'] ?? null
      })
    })
}

/** The server of the recording, here: clients in plain text as LoopBack stored them, users of `@modelwire/users`. */
export async function recordedApp(t: Test, options: OAuth2Options = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, { dataSources: { db: memory() } })
  await app.register(acl)
  await app.register(users)
  await app.register(oauth2, { compat: 'loopback', loginPage: '/login', rateLimit: false, ...options })
  addResources(app)
  await app.ready()
  Object.assign(app.models.typeOf('User').definition, { saltWorkFactor: 4 })
  await app.models.get('User').create({ username: 'bob', email: 'bob@example.com', password: 'secret-bob' })
  for (const client of clients) await app.models.get('OAuthClientApplication').create(client)
  return app
}
