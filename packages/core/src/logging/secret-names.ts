/** Words of the parameters and fields whose values no log may hold, however they are put together: `access_token`, `accessToken`. */
const secretWords = [
  'access token',
  'refresh token',
  'id token',
  'id token hint',
  'auth token',
  'token',
  'client secret',
  'client assertion',
  'assertion',
  'secret',
  'password',
  'old password',
  'new password',
  'verification token',
  'code verifier',
  'device code',
  'user code',
  'transaction id',
  'api key',
  'private key',
  'credentials'
]

const joined = '(?:[-_]|%5F)?'
const anyOf = (names: readonly string[]): string => `(?:${names.map((name) => name.replaceAll(' ', joined)).join('|')})`

/** Pattern of the names of secrets. */
export const secretNames = anyOf(secretWords)

/** The names of secret parameters of an address: there, `code` is one, which an error's is not. */
export const secretParameters = anyOf([...secretWords, 'code'])

const bare = (name: string): string => name.replaceAll(/[-_ ]/g, '').toLowerCase()

const headers = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-access-token',
  'x-api-key',
  'x-auth-token'
]
const secretFields: ReadonlySet<string> = new Set([...secretWords, ...headers].map(bare))

/** Whether no log may hold the value of a field or header. */
export const isSecretField = (name: string): boolean => secretFields.has(bare(name))
