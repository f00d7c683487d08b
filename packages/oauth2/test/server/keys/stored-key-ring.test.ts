import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import t from 'tap'
import { createKeySeal } from '#src/server/keys/key-store.ts'
import type { KeyRing } from '#src/server/keys/signing-key.ts'
import { type KeySettings, storedKeyRing } from '#src/server/keys/stored-key-ring.ts'
import { type Clock, keyDatabase, makeClock, settingsOf, storeOf } from './key-app.ts'

const openRing = async (settings: KeySettings): Promise<KeyRing> => {
  const ring = storedKeyRing(settings)
  await ring.ready()
  return ring
}
const kidsOf = async (ring: KeyRing): Promise<string[]> =>
  (await ring.jwks()).keys.map((key) => String(Reflect.get(key, 'kid')))
const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid)
const signFor = async (ring: KeyRing, clock: Clock, seconds: number): Promise<string> =>
  ring.sign({ exp: Math.floor(clock.now().getTime() / 1000) + seconds }, { typ: 'at+jwt' })
const verifies = async (ring: KeyRing, token: string, clock: Clock): Promise<boolean> => {
  const keys = createLocalJWKSet((await ring.jwks()) as JSONWebKeySet)
  try {
    await jwtVerify(token, keys, { currentDate: clock.now() })
    return true
  } catch {
    return false
  }
}

void t.test('the next key is published before it signs, the previous one while its tokens live', async (t) => {
  const clock = makeClock()
  const ring = await openRing(settingsOf(storeOf(await keyDatabase(t)), clock))
  const [first = '', second = ''] = await kidsOf(ring)
  const old = await signFor(ring, clock, 3600)
  t.equal(kidOf(old), first)
  clock.turn(86_401)
  const young = await signFor(ring, clock, 3600)
  t.equal(kidOf(young), second, 'the key that was published as next signs')
  const published = await kidsOf(ring)
  t.equal(published.length, 2, 'tokens of the first key are dead: it is gone, and there is another next one')
  t.notOk(published.includes(first))
})

void t.test('a retired key verifies until its last token dies, however long that lives', async (t) => {
  const clock = makeClock()
  const ring = await openRing(settingsOf(storeOf(await keyDatabase(t)), clock))
  const long = await signFor(ring, clock, 10 * 86_400)
  clock.turn(86_401)
  await signFor(ring, clock, 60)
  t.equal((await kidsOf(ring)).length, 3)
  t.ok(await verifies(ring, long, clock))
  clock.turn(8.5 * 86_400)
  t.ok(await verifies(ring, long, clock), 'nine and a half days later')
  clock.turn(20 * 86_400)
  t.notOk((await kidsOf(ring)).includes(kidOf(long)), 'its time is over')
})

void t.test('a key does not sign before those who verify can know it', async (t) => {
  const clock = makeClock()
  const ring = await openRing(settingsOf(storeOf(await keyDatabase(t)), clock))
  const [first] = await kidsOf(ring)
  clock.turn(69)
  await t.rejects(ring.rotate(), { code: 'OAUTH_KEY_TOO_YOUNG' })
  t.equal(kidOf(await signFor(ring, clock, 60)), first)
  clock.turn(2)
  await ring.rotate()
  t.not(kidOf(await signFor(ring, clock, 60)), first)
})

void t.test('after a key was compromised no token of it counts any more', async (t) => {
  const clock = makeClock()
  const database = await keyDatabase(t)
  const ring = await openRing(settingsOf(storeOf(database), clock))
  const other = await openRing(settingsOf(storeOf(database), clock))
  const token = await signFor(ring, clock, 3600)
  await ring.rotate({ compromised: true })
  t.equal(await ring.find(kidOf(token), 'ES256'), undefined)
  clock.turn(11)
  t.equal(await other.find(kidOf(token), 'ES256'), undefined, 'in other processes once they look again')
  t.not(kidOf(await signFor(other, clock, 60)), kidOf(token))
})

void t.test('processes that start at the same time agree on the keys', async (t) => {
  const clock = makeClock()
  const store = storeOf(await keyDatabase(t))
  const rings = await Promise.all(Array.from({ length: 10 }, async () => openRing(settingsOf(store, clock))))
  const tokens = await Promise.all(rings.map(async (ring) => signFor(ring, clock, 60)))
  t.equal(new Set(tokens.map(kidOf)).size, 1, 'one key signs')
  t.equal((await store.read()).length, 2)
  for (const ring of rings) t.strictSame(await kidsOf(ring), await kidsOf(rings[0] ?? ring))
})

void t.test('processes that rotate at the same time rotate once', async (t) => {
  const clock = makeClock()
  const store = storeOf(await keyDatabase(t))
  const rings = await Promise.all(Array.from({ length: 10 }, async () => openRing(settingsOf(store, clock))))
  const [, next] = (await Promise.all(rings.map(kidsOf))).flat()
  clock.turn(86_401)
  const tokens = await Promise.all(rings.map(async (ring) => signFor(ring, clock, 60)))
  t.strictSame(new Set(tokens.map(kidOf)), new Set([next]))
})

void t.test('a process that has not noticed a rotation signs what others verify', async (t) => {
  const clock = makeClock()
  const database = await keyDatabase(t)
  const quick = await openRing(settingsOf(storeOf(database), clock))
  const slow = await openRing(settingsOf(storeOf(database), clock))
  clock.turn(100)
  await slow.jwks()
  await quick.rotate()
  clock.turn(5)
  const token = await signFor(slow, clock, 7200)
  clock.turn(7000)
  t.ok(await verifies(quick, token, clock))
})

void t.test('a rotation to another algorithm takes the same care', async (t) => {
  const clock = makeClock()
  const store = storeOf(await keyDatabase(t))
  await openRing(settingsOf(store, clock))
  const ring = await openRing(settingsOf(store, clock, { algorithm: 'EdDSA' }))
  const seen = new Set<string>()
  for (let step = 0; step < 4; step++) {
    seen.add(String(decodeProtectedHeader(await signFor(ring, clock, 60)).alg))
    clock.turn(71)
  }
  t.strictSame([...seen], ['ES256', 'EdDSA'])
})

void t.test('a private key is in no column in plain, and opens with its secret and in its row alone', async (t) => {
  const clock = makeClock()
  const database = await keyDatabase(t)
  const store = storeOf(database)
  const ring = await openRing(settingsOf(store, clock))
  const rows = JSON.stringify(await store.read())
  t.notMatch(rows, /"d":/)
  t.notMatch(JSON.stringify(await ring.jwks()), /"d":/)
  const other = settingsOf(store, clock, { seal: createKeySeal(['another secret that is as long as that']) })
  await t.rejects(openRing(other), { code: 'OAUTH_SIGNING_KEY_SEALED' })
  const both = createKeySeal(['another secret that is as long as that', 'a secret of tests that is long enough'])
  t.ok(await openRing(settingsOf(store, clock, { seal: both })), 'the secret can be replaced')
  const [, second] = await store.read()
  await database.models.get('OAuthSigningKey').updateAll({ id: 1 }, { privateKey: second?.sealed })
  await t.rejects(openRing(settingsOf(store, clock)), { code: 'OAUTH_SIGNING_KEY_SEALED' })
})

void t.test('a key is found for its own algorithm alone', async (t) => {
  const ring = await openRing(settingsOf(storeOf(await keyDatabase(t)), makeClock()))
  const [kid = ''] = await kidsOf(ring)
  t.ok(await ring.find(kid, 'ES256'))
  for (const algorithm of ['HS256', 'none', 'RS256', 'ES384']) t.equal(await ring.find(kid, algorithm), undefined)
  t.equal(await ring.find('', 'ES256'), undefined)
})

void t.test('keys that change faster than they can be read are not waited for', async (t) => {
  const store = storeOf(await keyDatabase(t))
  const ring = storedKeyRing(settingsOf({ ...store, read: async () => [] }, makeClock()))
  await t.rejects(ring.ready(), { code: 'OAUTH_KEYS_UNSETTLED' })
})
