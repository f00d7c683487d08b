import type { Instance } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { TestUserModelMissing } from './errors.ts'
import { findUserModel } from './find-user-model.ts'
import { giveRoles } from './give-roles.ts'
import { type TestClient, testClient } from './test-client.ts'

/** Writes the `Authorization` header of a token. */
export type WriteAuthorization = (token: string) => string

/** A user to be made. Further properties are those of the model, which may require some. */
export interface NewTestUser {
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
  readonly password: string
  readonly token: string
  /** The stored record. */
  readonly record: Instance<Record<string, unknown>>
}

/** The part of a record that `@modelwire/users` adds. */
interface WithTokens {
  createAccessToken(): Promise<{ readonly id: string }>
}

const hasTokens = (record: object): record is WithTokens => 'createAccessToken' in record

/**
 * Makes a user with its roles and a token.
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
  const { email = `user${count}@example.org`, password = `a password of user ${count}` } = data
  const verified = model.byName.has('emailVerified') ? { emailVerified: true } : {}
  const record = await registry.get(model.name).create({ ...verified, ...data, email, password })
  const id = record.getId()
  await giveRoles(registry, { model, id }, roles)
  if (!hasTokens(record)) throw new TestUserModelMissing(`records of ${model.name} have no tokens`)
  const token = String((await record.createAccessToken()).id)
  const client = testClient(server, { authorization: authorization(token) })
  return { ...client, id, email, password, token, record }
}
