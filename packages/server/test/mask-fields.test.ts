import t from 'tap'
import { maskFields } from '#src/logs.ts'

/** A value below so many objects and lists, in turn. */
function bury(value: unknown, levels: number): unknown {
  let buried = value
  for (let level = 0; level < levels; level++) buried = level % 2 === 0 ? { in: buried } : [buried]
  return buried
}

const secrets = { password: 'QZQ', Authorization: 'QZQ', access_token: ['QZQ'], url: '/a?token=QZQ', id: 1 }
const without = { password: '…', Authorization: '…', access_token: '…', url: '/a?token=…', id: 1 }

t.test('secrets are masked at any depth', async (t) => {
  for (const levels of [0, 1, 5, 6, 7, 30, 150])
    t.strictSame(maskFields(bury(secrets, levels)), bury(without, levels), `${levels} levels`)
  t.notMatch(JSON.stringify(maskFields(bury(secrets, 1000))), /QZQ/)
})

t.test('what is given stays as it is, and parts without secrets are the same', async (t) => {
  const given = { safe: { list: [1, { a: 'b' }] }, user: { password: 'x', none: null } }
  const masked = maskFields(given) as typeof given // what is masked has the same members
  t.strictSame(given.user, { password: 'x', none: null })
  t.strictSame(masked.user, { password: '…', none: null })
  t.equal(masked.safe, given.safe)
  t.equal(maskFields(given.safe), given.safe)
})

t.test('objects that lie in themselves, or in many places, end', async (t) => {
  const self: Record<string, unknown> = { password: 'x' }
  self['self'] = self
  t.strictSame(maskFields(self), { password: '…', self: '[Circular]' })
  let shared: unknown = secrets
  for (let level = 0; level < 60; level++) shared = { left: shared, right: shared }
  t.ok(maskFields(shared))
})

t.test('a field named __proto__ stays a field', async (t) => {
  const given: unknown = JSON.parse('{"__proto__":{"password":"x"}}')
  t.equal(JSON.stringify(maskFields(given)), '{"__proto__":{"password":"…"}}')
})

t.test('names are known however their words are joined', async (t) => {
  const given = {
    accessToken: 'x',
    'refresh-token': 'x',
    CLIENT_SECRET: 'x',
    credentials: { a: 'x' },
    'X-Api-Key': 'x'
  }
  t.strictSame(Object.values(maskFields(given) as object), ['…', '…', '…', '…', '…']) // an object stays one
  t.strictSame(maskFields({ tokens: 1, accessTokenTTL: 2, code: 'X' }), { tokens: 1, accessTokenTTL: 2, code: 'X' })
})
