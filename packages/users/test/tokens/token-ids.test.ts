import { fillDefaults } from '@modelwire/server'
import t from 'tap'
import { TokenOptionsSchema } from '#src/options.ts'
import type { TokenOptions } from '#src/index.ts'
import { tokenFinder, type TokenPlaces } from '#src/tokens/token-ids.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const places = (given: { query?: object; headers?: object; cookies?: object; params?: object }): TokenPlaces => ({
  params: { ...given.params },
  query: { ...given.query },
  headers: { ...given.headers },
  signedCookie: (name) => Reflect.get(given.cookies ?? {}, name)
})

const cases: [string, TokenOptions, Parameters<typeof places>[0], string | undefined][] = [
  ['the header as it is', {}, { headers: { authorization: 'x' } }, 'x'],
  ['Bearer', {}, { headers: { authorization: 'Bearer x' } }, 'x'],
  [
    'Bearer in Base64',
    { bearerTokenBase64Encoded: true },
    { headers: { authorization: `Bearer ${base64('x')}` } },
    'x'
  ],
  ['bearer is another word', {}, { headers: { authorization: 'bearer x' } }, 'bearer x'],
  ['the longer part of Basic', {}, { headers: { authorization: `Basic ${base64('token:abc')}` } }, 'token'],
  ['the only part of Basic', {}, { headers: { authorization: `Basic ${base64('abc')}` } }, 'abc'],
  ['a query before a header', {}, { query: { access_token: 'q' }, headers: { authorization: 'x' } }, 'q'],
  ['an empty query counts', {}, { query: { access_token: '' }, headers: { authorization: 'x' } }, ''],
  ['an empty header does not', {}, { headers: { 'x-access-token': '', authorization: 'x' } }, 'x'],
  ['a header before a cookie', {}, { headers: { authorization: 'x' }, cookies: { access_token: 'c' } }, 'x'],
  ['a signed cookie', {}, { cookies: { authorization: 'c' } }, 'c'],
  ['own names', { headers: ['X-Mine'] }, { headers: { 'x-mine': 'm', authorization: 'x' } }, 'm'],
  [
    'own names alone',
    { headers: ['X-Mine'], searchDefaultTokenKeys: false },
    { headers: { authorization: 'x' } },
    undefined
  ],
  ['a list is none', {}, { query: { access_token: ['a', 'b'] } }, undefined]
]

for (const [name, options, given, token] of cases) {
  void t.test(name, async (t) => {
    t.equal(tokenFinder(fillDefaults(TokenOptionsSchema, options))(places(given)), token)
  })
}
