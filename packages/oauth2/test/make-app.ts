import { memory } from '@modelwire/connector-memory'
import { modelwire } from '@modelwire/core'
import type { Connector } from '@modelwire/core/connector'
import type { SharedStore } from '@modelwire/server'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { grantTable } from '#src/server/grants/grant-table.ts'
import { oauth2, type OAuth2Options, type UserFacts } from '#src/index.ts'

/** People of these tests, with their passwords. */
export const people: readonly (UserFacts & { readonly password: string })[] = [
  { id: 'u1', username: 'bob', email: 'bob@example.com', password: 'secret-bob' },
  { id: 'u2', username: 'eve', email: 'eve@example.com', password: 'secret-eve' }
]

const hide = ({ password: _password, ...facts }: (typeof people)[number]): UserFacts => ({ ...facts, id: facts.id })
const find = (isIt: (person: (typeof people)[number]) => boolean): UserFacts | undefined => {
  const found = people.find(isIt)
  return found === undefined ? undefined : hide(found)
}
const isNamed = (name: string) => (person: UserFacts) => person['username'] === name || person['email'] === name

/** Functions of an application without a user model. */
export const userFunctions = {
  authenticateUser: (name: string, password: string) =>
    find((person) => isNamed(name)(person) && person.password === password),
  findUser: (id: unknown) => find((person) => person.id === id),
  findUserByName: (name: string) => find(isNamed(name))
} as const

/** The address that clients of these tests come back to. */
export const callback = 'https://client.example/cb'

/** What an application of these tests is made of. */
export interface AppParts {
  readonly options?: OAuth2Options
  readonly connector?: Connector
  readonly server?: FastifyInstance
  readonly sharedState?: SharedStore
}

/** A server with nothing of Modelwire but core, a connector and oauth2; closed with the test. */
export async function makeApp(
  t: Test,
  { options, connector = memory(), server, sharedState }: AppParts = {}
): Promise<FastifyInstance> {
  const app = server ?? Fastify()
  t.teardown(() => app.close())
  await app.register(modelwire, {
    dataSources: { db: connector },
    ...(sharedState === undefined ? {} : { sharedState })
  })
  await app.register(oauth2, {
    issuer: 'https://as.example',
    scopes: ['read', 'write', 'email', 'openid', 'admin', 'evil'],
    session: { secret: 'a secret of tests that is long enough' },
    ...userFunctions,
    ...options
  })
  return app
}

/** All that the token endpoint gives. */
const grantTypes = Object.values(grantTable).map(({ type }) => type)

/** A confidential client with its secret, which may use every grant. */
export async function addClient(
  app: FastifyInstance,
  given: Partial<Parameters<FastifyInstance['oauth2']['clients']['create']>[0]> = {}
): Promise<{ id: string; secret: string }> {
  const made = await app.oauth2.clients.create({ name: 'Shop', redirectUris: [callback], grantTypes, ...given })
  return { id: made.client.id, secret: made.secret ?? '' }
}

/** Sends a form. */
export async function post(
  app: FastifyInstance,
  url: string,
  form: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {}
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString()
  })
}

/** The header of Basic credentials, raw as many clients send them. */
export function basic({ id, secret }: { readonly id: string; readonly secret: string }): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
}
