import { decodeProtectedHeader } from 'jose'
import t from 'tap'
import { storedKeyRing } from '#src/server/keys/stored-key-ring.ts'
import { databases } from '../store/databases.ts'
import { keyDatabase, makeClock, settingsOf, storeOf } from './key-app.ts'

for (const database of await databases()) {
  const { name, skip } = database
  t.test(`${name}: processes agree on keys, rotate once, and keep what still has tokens`, { skip }, async (t) => {
    const { connector, drop } = await database.open()
    t.teardown(drop)
    const app = await keyDatabase(t, connector, true)
    const clock = makeClock()
    const rings = Array.from({ length: 5 }, () => storedKeyRing(settingsOf(storeOf(app), clock)))
    const signAll = async (): Promise<Set<unknown>> => {
      const exp = Math.floor(clock.now().getTime() / 1000) + 3600
      const tokens = await Promise.all(rings.map(async (ring) => ring.sign({ exp }, { typ: 'at+jwt' })))
      return new Set(tokens.map((token) => decodeProtectedHeader(token).kid))
    }
    const first = await signAll()
    t.equal(first.size, 1)
    clock.turn(86_000)
    await signAll()
    clock.turn(1000)
    const second = await signAll()
    t.equal(second.size, 1)
    t.notSame(second, first)
    const published = (await rings[0]?.jwks())?.keys ?? []
    t.equal(published.length, 3, 'the next, the current, and the one whose tokens live')
    t.equal((await storeOf(app).read()).length, 3)
  })
}
