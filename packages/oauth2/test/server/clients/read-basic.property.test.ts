import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { readBasic } from '#src/server/clients/authenticate-client.ts'
import { CredentialsMalformed } from '#src/errors.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const isUsable = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text)
const text = fc.string({ unit: 'binary' }).filter(isUsable)
const id = text.filter((value) => value !== '')
const scheme = fc.constantFrom('Basic ', 'basic ', 'BASIC ')

/** The encoding `application/x-www-form-urlencoded` by two encoders. @see RFC 6749 appendix B */
const formEncode = (value: string): string => new URLSearchParams({ '': value }).toString().slice(1)
const encoders = fc.constantFrom(formEncode, encodeURIComponent)

void t.test('credentials that a client encodes as RFC 6749 section 2.3.1 says are read first', async () => {
  fc.assert(
    fc.property(scheme, encoders, id, text, (name, encode, clientId, secret) => {
      const [first] = readBasic(name + base64(`${encode(clientId)}:${encode(secret)}`))
      return first?.id === clientId && first.secret === secret
    })
  )
})

void t.test('credentials as RFC 7617 writes them are among the readings', async () => {
  const rawId = id.filter((value) => !value.includes(':'))
  fc.assert(
    fc.property(scheme, rawId, text, (name, clientId, secret) => {
      const readings = readBasic(name + base64(`${clientId}:${secret}`))
      return readings.length <= 2 && readings.some((each) => each.id === clientId && each.secret === secret)
    })
  )
})

void t.test('whatever header comes: credentials that can be looked for, or one coded error', async () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%00', '%', '+', '%zz', '%C3%A9', '\0'))
  const header = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((rest) => `Basic ${rest}`),
    fc.array(part, { maxLength: 4 }).map((parts) => `Basic ${base64(parts.join(''))}`),
    fc.tuple(part, part).map((parts) => `Basic ${base64(parts.join(':'))}`),
    fc.uint8Array().map((bytes) => `Basic ${Buffer.from(bytes).toString('base64url')}`)
  )
  fc.assert(
    fc.property(header, (given) => {
      try {
        return readBasic(given).every((each) => each.id !== '' && isUsable(each.id) && isUsable(each.secret))
      } catch (error) {
        return error instanceof CredentialsMalformed
      }
    }),
    { numRuns: runs(1000) }
  )
})
