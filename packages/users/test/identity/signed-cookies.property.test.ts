import cookie from '@fastify/cookie'
import * as fc from 'fast-check'
import Fastify, { type FastifyRequest } from 'fastify'
import t from 'tap'
import { tokenPlaces } from '#src/identity/token-places.ts'

void t.test('a cookie holds what was signed, and nothing when one sign of it is another', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(cookie, { secret: 'a secret of this server' })
  const read = (value: string): unknown => {
    const request: unknown = {
      raw: {},
      headers: { cookie: 'access_token=x' },
      cookies: { access_token: value },
      unsignCookie: (written: string) => app.unsignCookie(written)
    }
    return tokenPlaces(request as FastifyRequest).signedCookie('access_token') // what is read of one is there
  }
  const other = fc.constantFrom(...Array.from('aA0.+/=é'))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), other, (text, place, sign) => {
      const signed = app.signCookie(text)
      const letters = Array.from(signed)
      const forged = letters.with(place % letters.length, sign).join('')
      const isOther = forged !== signed
      return read(signed) === text && (!isOther || read(forged) === undefined) && read(text) === undefined
    })
  )
})
