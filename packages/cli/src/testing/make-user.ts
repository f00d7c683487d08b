import type { Instance, ModelClass } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { TestUserModelMissing } from './errors.ts'
import { findUserModel } from './find-user-model.ts'
import { giveRoles } from './give-roles.ts'
import { type TestClient, testClient } from './test-client.ts'

/** Writes the `Authorization` header of a token. */
export type WriteAuthorization = (token: string) => string

/** A user. Further properties are those of the model, which may require some. */
export interface NewTestUser {
  /** A stored user with this address is taken as it is, and only given roles. */
  readonly email?: string
  readonly password?: string
  /** Names of stored roles; those that do not exist are made. */
  readonly roles?: readonly string[]
  /** The user model; needed where the application has several. */
  readonly model?: string
  readonly [property: string]: unknown
}

/** A user with a token, which all of its requests carry. */
export interface TestUser extends TestClient {
  readonly id: unknown
  readonly email: string
  /** Undefined for a stored user whose password was not given. */
  readonly password: string | undefined
  readonly token: string
  /** The stored record. */
  readonly record: Instance<Record<string, unknown>>
}

/** The part of a record that `@modelwire/users` adds. */
interface WithTokens {
  createAccessToken(): Promise<{ readonly id: string }>
}

const hasTokens = (record: object): record is WithTokens => 'createAccessToken' in record

interface Account {
  readonly record: TestUser['record']
  readonly email: string
  readonly password: string | undefined
}

/** The stored user with the address, else a new one. */
async function findOrMake(users: ModelClass, data: NewTestUser, count: number): Promise<Account> {
  const { email = `user${count}@example.org`, password } = data
  const stored = data.email === undefined ? null : await users.findOne({ where: { email } })
  if (stored !== null) return { record: stored, email, password }
  const made = password ?? `a password of user ${count}`
  const verified = users.modelType.byName.has('emailVerified') ? { emailVerified: true } : {}
  return { record: await users.create({ ...verified, ...data, email, password: made }), email, password: made }
}

/**
 * Makes a user with its roles and a token, or takes the stored one with its address.
 * @param count how many there are: addresses that are not given differ
 * @throws {TestUserModelMissing} the application has no user model
 * @throws {TestUserModelAmbiguous} it has several, and none is named
 * @throws {TestRolesMissing} it stores no roles
 * @throws {ValidationError} the model requires more properties
 */
export async function makeUser(
  server: FastifyInstance,
  { model: named, roles = [], ...data }: NewTestUser,
  { count, authorization }: { readonly count: number; readonly authorization: WriteAuthorization }
): Promise<TestUser> {
  const registry = server.models
  const model = findUserModel(registry, named)
  const account = await findOrMake(registry.get(model.name), data, count)
  const { record } = account
  const id = record.getId()
  await giveRoles(registry, { model, id }, roles)
  if (!hasTokens(record)) throw new TestUserModelMissing(`records of ${model.name} have no tokens`)
  const { id: token } = await record.createAccessToken()
  const client = testClient(server, { authorization: authorization(token) })
  return { ...client, ...account, id, token }
}
