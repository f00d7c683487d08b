import { acl } from '@modelwire/acl'
import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import { oauth2 } from '@modelwire/oauth2'
import { accessTokenModel, userModel, users } from '@modelwire/users'
import Fastify, { type FastifyInstance } from 'fastify'
import { api, issuer, scopes } from './addresses.ts'

/** A server with users and clients, and the secret of the confidential client. */
export interface AuthorizationServer {
  readonly app: FastifyInstance
  readonly secret: string
}

/** The two clients. A real server keeps them in its database; `app.oauth2.clients` manages them. */
async function addClients({ oauth2: { clients } }: FastifyInstance): Promise<string> {
  await clients.create({
    id: 'notes-cli',
    name: 'Notes on the command line',
    type: 'public',
    // Any port of this address will do: a program listens where it can.
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'profile', 'notes:read', 'notes:write']
  })
  const { secret = '' } = await clients.create({
    id: 'notes-report',
    name: 'Nightly report',
    grantTypes: ['client_credentials'],
    scopes: ['notes:count']
  })
  return secret
}

/** Signs users in, asks for their consent, and issues tokens for the API. It serves no notes. */
export async function buildAuthorizationServer(): Promise<AuthorizationServer> {
  const app = Fastify({ requestTimeout: 120_000 })
  await app.register(modelwire, { dataSources: { db: memory() }, models: [userModel(), accessTokenModel] })
  await app.register(acl)
  await app.register(users)
  await app.register(oauth2, {
    issuer,
    // Of a real server: from its environment, the same in all of its processes.
    session: { secret: process.env['SESSION_SECRET'] ?? 'change me: at least thirty-two signs' },
    // Tokens are JWTs: the API checks them without asking here.
    accessTokens: 'jwt',
    resources: [api],
    audience: api,
    scopes: Object.keys(scopes),
    pages: { name: 'Notes' }
  })
  const secret = await addClients(app)
  const { models } = app
  await models.get('User').create({ username: 'ann', email: 'ann@example.com', password: 'a quiet evening' })
  for (const [scope, description] of Object.entries(scopes))
    await models.get('OAuthScope').create({ scope, description })
  return { app, secret }
}
