import { createRecentWrites } from '#src/follow-writes.ts'
import type { FastifyRequest } from 'fastify'
import t from 'tap'

interface Facts {
  readonly ip?: string
  readonly userId?: number
  readonly cookie?: string
  readonly protocol?: 'http' | 'https'
}

const requestOf = ({ ip = '10.0.0.1', userId, cookie, protocol = 'http' }: Facts): FastifyRequest =>
  // These parts of a request are read.
  ({
    ip,
    protocol,
    headers: { cookie },
    principal: userId === undefined ? null : { userId }
  }) as unknown as FastifyRequest

void t.test('a client that wrote is remembered for the time, by who it is', async (t) => {
  let now = 1000
  const writes = createRecentWrites(500, () => now)
  writes.note(requestOf({ ip: '10.0.0.1', userId: 7 }))
  t.equal(writes.has(requestOf({ ip: '10.0.0.2', userId: 7 })), true, 'wherever it is')
  t.equal(writes.has(requestOf({ ip: '10.0.0.1', userId: 8 })), false, 'others at its address are not')
  t.equal(writes.has(requestOf({ ip: '10.0.0.1' })), false)
  now = 1500
  t.equal(writes.has(requestOf({ userId: 7 })), false)
})

void t.test('a stranger is known by its address, also once it is known', async (t) => {
  const writes = createRecentWrites(500, () => 0)
  writes.note(requestOf({ ip: '10.0.0.1' }))
  t.equal(writes.has(requestOf({ ip: '10.0.0.1', userId: 7 })), true)
  t.equal(writes.has(requestOf({ ip: '10.0.0.2', userId: 7 })), false)
})

void t.test('a cookie tells other processes, and only that one', async (t) => {
  const writes = createRecentWrites(2500)
  t.equal(writes.cookieFor(requestOf({})), 'modelwire_wrote=1; Max-Age=3; Path=/; HttpOnly; SameSite=Lax')
  t.match(writes.cookieFor(requestOf({ protocol: 'https' })), /; Secure$/)
  for (const [cookie, isKnown] of [
    ['modelwire_wrote=1', true],
    ['a=b; modelwire_wrote=1; c=d', true],
    ['xmodelwire_wrote=1', false],
    ['modelwire_wrote=11', false],
    ['', false]
  ] as const)
    t.equal(writes.has(requestOf({ cookie })), isKnown, cookie)
})

void t.test('however many clients write, the last ones are remembered', async (t) => {
  const writes = createRecentWrites(500, () => 0)
  for (let userId = 0; userId < 10_100; userId++) writes.note(requestOf({ userId }))
  t.equal(writes.has(requestOf({ userId: 0 })), false)
  t.equal(writes.has(requestOf({ userId: 10_099 })), true)
})
