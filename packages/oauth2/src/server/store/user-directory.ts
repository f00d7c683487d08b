import type { Model, ModelClass } from '@modelwire/core'
import { OptionMissing } from '../../errors.ts'
import { statusOf } from '../../http/send-error.ts'
import type { OAuth2Options } from '../../options/oauth2-options.ts'
import type { UserFacts } from '../../options/option-functions.ts'
import { recordOf } from './records.ts'

/** The users of the application. */
export interface UserDirectory {
  /**
   * Returns the user with this name, or email address, and password; undefined if they are wrong. Both strings are as
   * entered.
   */
  verify(username: string, password: string): Promise<UserFacts | undefined>
  /** Returns the user with this id; undefined if it does not exist. */
  find(id: unknown): Promise<UserFacts | undefined>
  /** Whether the name or address with which a user was verified identifies only that user. */
  isNameOfOne(name: string, user: UserFacts): Promise<boolean>
  /** Returns the user with this name or email address. */
  findByName(name: string): Promise<UserFacts | undefined>
}

const toFacts = (instance: Model | object): UserFacts => {
  const record = recordOf(instance)
  return { ...record, id: record['id'] }
}

/** The account with this name, else the one with this address. Emails are looked for as the model stores them. */
async function findAccount(users: ModelClass, name: string): Promise<object | undefined> {
  const { definition, byName } = users.modelType
  const email = definition['caseSensitiveEmail'] === false ? name.toLowerCase() : name
  for (const where of [{ username: name }, { email }]) {
    const [column = ''] = Object.keys(where)
    const found = byName.has(column) ? await users.findOne({ where }) : null
    if (found !== null) return found
  }
  return undefined
}

/** True where an error refuses the account: a wrong password, an address that was never confirmed, no realm. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return typeof status === 'number' && status >= 400 && status < 500
}

/** The account of these credentials, found as a login of the API finds it. */
async function checkCredentials(users: ModelClass, credentials: object): Promise<UserFacts | undefined> {
  const check: unknown = Reflect.get(users, 'checkCredentials')
  if (typeof check !== 'function')
    throw new OptionMissing('there is no user model: register @modelwire/users, or set authenticateUser and findUser', {
      key: 'authenticateUser'
    })
  try {
    const found: unknown = await check.call(users, credentials)
    return typeof found === 'object' && found !== null ? toFacts(found) : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Users of a model with the functions of `@modelwire/users`. */
function modelUsers(users: () => ModelClass): UserDirectory {
  return {
    async verify(username, password) {
      const found = await checkCredentials(users(), { username, password })
      // What has no @ is not an address: it is not looked for twice.
      if (found !== undefined || !username.includes('@')) return found
      return checkCredentials(users(), { email: username, password })
    },
    async isNameOfOne(name, { id, email }) {
      if (!name.includes('@')) return true
      if (typeof email !== 'string' || email.toLowerCase() !== name.toLowerCase()) return false
      const found = await findAccount(users(), name)
      return found !== undefined && String(toFacts(found).id) === String(id)
    },
    async find(id) {
      const found = await users().findById(id)
      return found === null ? undefined : toFacts(found)
    },
    async findByName(name) {
      const found = await findAccount(users(), name)
      return found === undefined ? undefined : toFacts(found)
    }
  }
}

async function missing(): Promise<never> {
  throw new OptionMissing('there is no user model: set authenticateUser and findUser', { key: 'authenticateUser' })
}

const noUsers: UserDirectory = { verify: missing, isNameOfOne: missing, find: missing, findByName: missing }

/**
 * Makes the directory of users: the application's functions if it sets some, else its user model.
 * @param users the user model; undefined where there is none
 */
export function makeUserDirectory(users: (() => ModelClass) | undefined, options: OAuth2Options): UserDirectory {
  const { authenticateUser, findUser, findUserByName } = options
  const model = users === undefined ? noUsers : modelUsers(users)
  return {
    verify: async (username, password) =>
      authenticateUser === undefined ? model.verify(username, password) : authenticateUser(username, password),
    isNameOfOne: async (name, user) => authenticateUser !== undefined || model.isNameOfOne(name, user),
    find: async (id) => (findUser === undefined ? model.find(id) : findUser(id)),
    findByName: async (name) => (findUserByName === undefined ? model.findByName(name) : findUserByName(name))
  }
}
