import type { Instance, ModelClass, ModelRegistry } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import { TestUserModelMissing, TestUserModelAmbiguous, TestRolesMissing } from '../errors.ts'
import { type TestClient, testClient } from './test-client.ts'
import { isOfModel, modelByType } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

const makesTokens = ({ modelClass, collection }: ModelType): boolean =>
  collection !== undefined && typeof Reflect.get(modelClass.prototype, 'createAccessToken') === 'function'

/** Writes the `Authorization` header of a token. */
export type WriteAuthorization = (token: string) => string

/** The properties of a user. Additional ones are those of the model, which may require some. */
export interface NewTestUser {
  /** An existing user with this address is used unchanged, and only gets roles. */
  readonly email?: string
  readonly password?: string
  /** Names of stored roles; missing ones are created. */
  readonly roles?: readonly string[]
  /** The user model; required if the application has several. */
  readonly model?: string
  readonly [property: string]: unknown
}

/** A user with a token, which all of its requests carry. */
export interface TestUser extends TestClient {
  readonly id: unknown
  readonly email: string
  /** Undefined for an existing user whose password was not given. */
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
 * Creates a user with its roles and a token, or uses the existing one with its address.
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
  if (!hasTokens(record)) throw new TestUserModelMissing(`records of ${model.name} cannot have tokens`)
  const { id: token } = await record.createAccessToken()
  const client = testClient(server, { authorization: authorization(token) })
  return { ...client, ...account, id, token }
}

/**
 * The model of the application's users: the named one, else the only one that extends `User`, else `User`.
 * @throws {TestUserModelMissing} there is none, or it has no tokens
 * @throws {TestUserModelAmbiguous} several extend `User`
 */
function findUserModel(registry: ModelRegistry, named: string | undefined): ModelType {
  const all = registry.names().map((name) => registry.typeOf(name))
  const able = all.filter((model) => makesTokens(model) && (named === undefined || model.name === named))
  const extending = able.filter((model) => model.name !== 'User' && isOfModel(model, 'User'))
  const [found, other] = extending.length > 0 ? extending : able
  if (found === undefined) {
    const which = named === undefined ? 'no user model' : `no user model named "${named}"`
    throw new TestUserModelMissing(`the application has ${which}: register @modelwire/users and give it a data source`)
  }
  if (other === undefined) return found
  const names = extending.map(({ name }) => name).join(', ')
  throw new TestUserModelAmbiguous(`several user models: set "model" to one of ${names}`)
}

function storedModel(registry: ModelRegistry, builtIn: string): ModelClass {
  const model = modelByType(registry, builtIn)
  if (model?.collection === undefined)
    throw new TestRolesMissing(`the application has no model ${builtIn} with a data source: register @modelwire/acl`)
  return registry.get(model.name)
}

/** How roles name a user: by its model, where tokens belong to users of several ones. */
function principalType(registry: ModelRegistry, user: ModelType): string {
  const tokens = registry.relations.of(user).get('accessTokens')
  return tokens?.discriminator === undefined ? 'USER' : user.name
}

/**
 * Puts a user into roles; one that does not exist is made.
 * @throws {TestRolesMissing} the application stores no roles
 */
async function giveRoles(
  registry: ModelRegistry,
  user: { readonly model: ModelType; readonly id: unknown },
  roles: readonly string[]
): Promise<void> {
  if (roles.length === 0) return
  const Role = storedModel(registry, 'Role')
  const RoleMapping = storedModel(registry, 'RoleMapping')
  for (const name of roles) {
    const [role] = await Role.findOrCreate({ where: { name } }, { name })
    const principal = { principalType: principalType(registry, user.model), principalId: String(user.id) }
    await RoleMapping.create({ ...principal, roleId: role.getId() })
  }
}
