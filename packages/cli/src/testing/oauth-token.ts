import { randomUUID } from 'node:crypto'
import type { OAuth2 } from '@modelwire/oauth2'
import type { FastifyInstance } from 'fastify'
import { TestOAuthMissing } from '../errors.ts'
import { type TestClient, testClient } from './test-client.ts'

/** The properties of an OAuth 2.0 token. */
export interface NewTestToken {
  /** A user of this server, or an object with its id; absent for a token of the client itself. */
  readonly user?: { readonly id: unknown } | string | number
  readonly scopes?: readonly string[]
  /** The id of a client application; by default one that may have these scopes is created. */
  readonly client?: string
}

/** An OAuth 2.0 token, which all requests carry. */
export interface TestToken extends TestClient {
  readonly token: string
  readonly scopes: readonly string[]
  /** The id of the client application. */
  readonly clientId: string
}

async function makeClient({ clients }: OAuth2, scopes: readonly string[]): Promise<string> {
  const { client } = await clients.create({ id: `tests-${randomUUID()}`, name: 'Tests', scopes })
  return client.id
}

/**
 * Issues a token of OAuth 2.0.
 * @throws {TestOAuthMissing} the application has no authorization server
 * @throws {ClientUnknown} no client has this id
 * @throws {ScopeNotAllowed} the client is registered for other scopes
 */
export async function issueTestToken(
  server: FastifyInstance,
  { user, scopes = [], client }: NewTestToken
): Promise<TestToken> {
  const issue = server.hasDecorator('oauth2') ? server.oauth2.issueToken : undefined
  if (issue === undefined)
    throw new TestOAuthMissing('the application has no authorization server: register @modelwire/oauth2')
  const clientId = client ?? (await makeClient(server.oauth2, scopes))
  const userId = typeof user === 'object' ? user.id : user
  const { accessToken: token } = await issue({ clientId, userId, scopes })
  return { ...testClient(server, { authorization: `Bearer ${token}` }), token, scopes, clientId }
}
