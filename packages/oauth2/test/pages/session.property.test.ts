import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { makeSessionCookie, type BrowserSession } from '#src/pages/browser-session.ts'
import type { Settings } from '#src/options/settings.ts'

/** Reads and writes the cookie of a server, in one text. */
async function makeCookie(t: Test, key: Buffer) {
  const app = Fastify()
  t.teardown(() => app.close())
  const settings: unknown = { options: { session: { key } } }
  const cookie = await makeSessionCookie(app, settings as Settings) // nothing else of them is read
  const requestWith = (text?: string): FastifyRequest => {
    const made: unknown = { headers: { cookie: text }, log: app.log, protocol: 'http' }
    return made as FastifyRequest // what is read of one is there
  }
  const headers = new Map<string, unknown>()
  const reply: unknown = {
    getHeader: (name: string) => headers.get(name),
    removeHeader: (name: string) => headers.delete(name),
    header: (name: string, value: unknown) => headers.set(name, value)
  }
  return {
    read: (text: string) => cookie.read(requestWith(text)),
    write: (session: BrowserSession): string => {
      headers.clear()
      cookie.write(requestWith(), reply as FastifyReply, session) // what is written to is there
      return String(headers.get('set-cookie')).split(';', 1)[0] ?? ''
    }
  }
}

const text = fc.string({ unit: 'binary', maxLength: 50 })
const session = fc.record({ id: text, csrf: text, returnTo: text }, { requiredKeys: [] })
const same = (one: BrowserSession, other: BrowserSession): boolean =>
  one.id === other.id && one.csrf === other.csrf && one.returnTo === other.returnTo

void t.test('a session is read as it was written, among other cookies, and by this server alone', async (t) => {
  const [own, other] = [await makeCookie(t, randomBytes(32)), await makeCookie(t, randomBytes(32))]
  fc.assert(
    fc.property(session, (written) => {
      const cookie = own.write(written)
      return same(own.read(`a=b; ${cookie}; c=d`), written) && same(other.read(cookie), {})
    })
  )
})

void t.test('whatever cookie comes, and whatever sign of one is another: no session', async (t) => {
  const { read, write } = await makeCookie(t, randomBytes(32))
  const value = fc.oneof(
    text,
    fc.base64String(),
    fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join(';')),
    fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join('%3B')),
    fc.constantFrom('%', '%3B', '%zz', '""', '{}')
  )
  const forged = fc.tuple(session, fc.nat(), fc.constantFrom(...Array.from('aA0%;=, ')))
  fc.assert(
    fc.property(value, forged, (given, [written, place, sign]) => {
      const [name = '', right = ''] = write(written).split('=', 2)
      const signs = decodeURIComponent(right)
      // The last sign of a part may stand for less than it can.
      const at = place % (signs.length - 4)
      const wrong = encodeURIComponent(signs.slice(0, at) + sign + signs.slice(at + 1))
      const isSame = wrong === right || signs[at + 1] === ';' || signs[at + 1] === '='
      return same(read(`${name}=${given}`), {}) && (isSame || same(read(`${name}=${wrong}`), {}))
    })
  )
})
