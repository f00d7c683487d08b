import {
  type Callback,
  type PassportHost,
  type ScriptFunction,
  type ScriptModel,
  type ScriptRecord,
  readMember
} from '../application.ts'
import { modelOf } from '../models/passport-models.ts'
import { PassportModelsMissing } from '../errors.ts'
import type { Provider, Scheme } from './scheme-table.ts'

const refused = 'Invalid username/password or email has not been verified'
const withoutToken = 'Failed to create token.'

/** The result of checking a password: the arguments of Passport's callback after its error. */
type Checked = readonly [user: object | false, info?: object]

const profileOf = ({ id, username, email, status }: ScriptRecord): Record<string, unknown> => ({
  provider: 'local',
  id,
  username,
  emails: [{ value: email }],
  status,
  accessToken: null
})

/** @throws {PassportModelsMissing} the model has no such method */
function methodOf(owner: object, name: string): ScriptFunction {
  const method = readMember(owner, name)
  if (typeof method === 'function') return method as ScriptFunction // methods of accounts
  throw new PassportModelsMissing(`the user model has no method ${name}: make it extend User`)
}

/** A password by the login of the model of users, which makes a token. */
async function checkByLogin(
  { call }: PassportHost,
  users: ScriptModel,
  user: ScriptRecord,
  credentials: object
): Promise<Checked> {
  try {
    const [accessToken] = await call(methodOf(users, 'login'), users, [credentials])
    if (!accessToken || !user['emailVerified']) return [false, { message: withoutToken }]
    return [{ ...profileOf(user), accessToken }, { accessToken }]
  } catch (error) {
    if (readMember(error, 'code') !== 'LOGIN_FAILED') throw error
    return [false, { message: withoutToken }]
  }
}

async function checkPassword({ call }: PassportHost, user: ScriptRecord, password: string): Promise<Checked> {
  const [isRight] = await call(methodOf(user, 'hasPassword'), user, [password])
  // The answer does not reveal which of the two is wrong.
  return isRight && user['emailVerified'] ? [profileOf(user)] : [false, { message: refused }]
}

async function check({ host, models, options }: Provider, name: unknown, password: unknown): Promise<Checked> {
  const users = modelOf(models, 'userModel')
  // A form or JSON may hold something else, which would be read as a condition.
  if (typeof name !== 'string' || typeof password !== 'string') return [false, { message: refused }]
  const user: ScriptRecord | null = await users.findOne({ where: { or: [{ username: name }, { email: name }] } })
  if (user === null) return [false, { message: refused }]
  if (!options.setAccessToken) return checkPassword(host, user, password)
  const key = options.usernameField === 'email' ? 'email' : 'username'
  return checkByLogin(host, users, user, { [key]: name, password })
}

async function answer(done: Callback, checked: Promise<Checked>): Promise<void> {
  try {
    done(null, ...(await checked))
  } catch (error) {
    done(error)
  }
}

/** `local`: user name, or email address, and password of an account with a verified address. */
export const local: Scheme = {
  options: ({ usernameField, passwordField, session }) => ({
    usernameField: usernameField || 'username',
    passwordField: passwordField || 'password',
    session,
    authInfo: true
  }),
  verify: (provider) => (name: unknown, password: unknown, done: Callback) =>
    void answer(done, check(provider, name, password))
}
