import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { maskSecrets } from '#src/logs.ts'

const secretNames = [
  'access_token',
  'refresh_token',
  'token',
  'code',
  'client_secret',
  'password',
  'user_code',
  'accessToken',
  'apiKey'
]
const name = fc.constantFrom(...secretNames)
// A secret of signs that encoders write in all of their ways, with a mark between them that is nowhere else.
const mark = 'QZQ'
const secret = fc
  .array(fc.constantFrom('&', ';', '=', '?', '#', '%', '+', ' ', '/', 'é', '%26', ''), { minLength: 1, maxLength: 5 })
  .map((signs) => mark + signs.join(mark) + mark)
const other = fc.constantFrom('client_id=a', 'state=b', 'x', '')
const escapeBare = (text: string): string => encodeURI(text).replaceAll(/[&#+]/g, encodeURIComponent)
const encoders = fc.constantFrom(encodeURIComponent, escapeBare, (text: string) =>
  new URLSearchParams({ '': text }).toString().slice(1)
)

void t.test('no part of a secret in a query is left, and everything else is', async () => {
  fc.assert(
    fc.property(other, name, secret, encoders, other, (before, key, value, encode, after) => {
      const url = `/token?${before}&${key}=${encode(value)}&${after}`
      return maskSecrets(url) === `/token?${before}&${key}=…&${after}`
    }),
    { numRuns: runs(500) }
  )
})

void t.test('nor of one in an address that is a parameter itself, at every depth', async () => {
  fc.assert(
    fc.property(name, secret, fc.integer({ min: 1, max: 3 }), other, (key, value, depth, after) => {
      let url = `/cb?${key}=${encodeURIComponent(value)}&state=b`
      for (let at = 0; at < depth; at++) url = `/login?returnTo=${encodeURIComponent(url)}`
      const masked = maskSecrets(`${url}&${after}`)
      return !masked.includes(mark) && masked.endsWith(`&${after}`) && masked.startsWith('/login?returnTo=')
    }),
    { numRuns: runs(500) }
  )
})

void t.test('an address without secrets is left as it is', async () => {
  const key = fc.constantFrom('client_id', 'state', 'encode', 'my_code', 'tokens')
  const query = fc.array(fc.tuple(key, fc.string({ unit: fc.constantFrom(...Array.from('ab12é/+% ')) })))
  fc.assert(
    fc.property(query, (pairs) => {
      const url = `/authorize?${new URLSearchParams(pairs).toString()}`
      return maskSecrets(url) === url
    })
  )
})

void t.test('nor of one in a condition of a filter', async () => {
  const filters: readonly ((key: string, value: string) => string)[] = [
    (key, value) => `filter=${encodeURIComponent(JSON.stringify({ where: { [key]: value } }))}`,
    (key, value) => `filter={"where":{"${key}":${JSON.stringify(value).replaceAll(/[&#\s]/g, encodeURIComponent)}}}`,
    (key, value) => `where=${encodeURIComponent(JSON.stringify({ [key]: { inq: [1, value] } }))}`,
    (key, value) => `filter[where][${key}]=${encodeURIComponent(value)}`,
    (key, value) => `filter%5Bwhere%5D%5B${key}%5D%5Binq%5D%5B0%5D=${encodeURIComponent(value)}`
  ]
  const named = fc.constantFrom(...secretNames.filter((each) => each !== 'code'))
  fc.assert(
    fc.property(named, secret, fc.constantFrom(...filters), (key, value, write) => {
      const masked = maskSecrets(`/api/users?${write(key, value)}&limit=1`)
      return !masked.includes(mark) && masked.endsWith('&limit=1')
    }),
    { numRuns: runs(500) }
  )
})

void t.test('a cast of SQL is no secret', async (t) => {
  const statement = 'SELECT "token"::text, "password" FROM "user" WHERE "id" = $1'
  t.equal(maskSecrets(statement), statement)
})
