import { fillDefaults } from '@modelwire/server'
import * as fc from 'fast-check'
import t from 'tap'
import { TokenOptionsSchema } from '#src/options.ts'
import { tokenFinder, readAuthorization, newTokenId } from '#src/tokens/token-ids.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const line = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/[:\n\r\u2028\u2029]/.test(text))
const token = fc.oneof(fc.nat().map(newTokenId), fc.uuid())
const basic = fc.constantFrom('Basic ', 'basic ', 'BASIC ')

void t.test(
  'a token is read wherever clients put it: alone, behind Bearer, as user or as password of Basic',
  async () => {
    fc.assert(
      fc.property(token, line, basic, (id, other, scheme) => {
        fc.pre(other.length < id.length)
        const encoded = [`Bearer ${base64(id)}`, scheme + base64(`${other}:${id}`), scheme + base64(`${id}:${other}`)]
        const plain = [id, `Bearer ${id}`]
        return (
          encoded.every((header) => readAuthorization(header, true) === id) &&
          plain.every((header) => readAuthorization(header, false) === id)
        )
      })
    )
  }
)

void t.test('whatever a request holds, what is found is a text, of the first place that has one', async () => {
  const value = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.constantFrom('Basic ', 'Bearer ', 'Basic ='))
  const name = fc.constantFrom('access_token', 'x-access-token', 'authorization', '__proto__', 'constructor')
  const values = fc.dictionary(name, value)
  fc.assert(
    fc.property(values, values, values, fc.boolean(), (query, headers, cookies, bearerTokenBase64Encoded) => {
      const find = tokenFinder(fillDefaults(TokenOptionsSchema, { bearerTokenBase64Encoded }))
      const found = find({ params: {}, query, headers, signedCookie: (key) => cookies[key] })
      if (typeof query['access_token'] === 'string') return found === query['access_token']
      return found === undefined || typeof found === 'string'
    })
  )
})
