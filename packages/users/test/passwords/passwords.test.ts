import t from 'tap'
import { checkPassword, makePasswords } from '#src/passwords/passwords.ts'

const hashing = { kind: 'bcrypt', argon2: { memory: 64, passes: 1 }, parallel: 1, cutsOff: false } as const

void t.test('a password matches its hash and nothing else', async (t) => {
  const passwords = makePasswords(hashing)
  const hashed = await passwords.hash('secret', 4)
  t.match(hashed, /^\$2a\$04\$.{53}$/)
  t.equal(await passwords.matches('secret', hashed, 4), true)
  for (const other of ['Secret', '', 5, null, { neq: '' }]) t.equal(await passwords.matches(other, hashed, 4), false)
  t.equal(await passwords.matches('secret', undefined, 4), false)
})

void t.test('hashes that LoopBack stored are known', async (t) => {
  const stored = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  t.equal(await makePasswords(hashing).matches('wrong', stored, 10), false)
})

void t.test('what bcrypt would cut off is no password, except where LoopBack took it', async (t) => {
  const passwords = makePasswords(hashing)
  const whole = 'é'.repeat(36)
  const hashed = await passwords.hash(whole, 4)
  t.equal(await passwords.matches(whole, hashed, 4), true)
  t.equal(await passwords.matches(`${whole}x`, hashed, 4), false)
  t.equal(await makePasswords({ ...hashing, cutsOff: true }).matches(`${whole}x`, hashed, 4), true)
})

void t.test('Argon2id makes hashes in its usual form, and knows its own', async (t) => {
  const passwords = makePasswords({ ...hashing, kind: 'argon2id' })
  const hashed = await passwords.hash('secret', 4)
  t.match(hashed, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
  t.equal(await passwords.matches('secret', hashed, 4), true)
  for (const other of ['Secret', '', 5, null, {}]) t.equal(await passwords.matches(other, hashed, 4), false)
  t.equal(await passwords.matches('secret', undefined, 4), false)
})

const outdated: [string, 'bcrypt' | 'argon2id', boolean][] = [
  ['$2a$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'bcrypt', true],
  ['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'bcrypt', false],
  ['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', 'argon2id', true],
  ['$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaA', 'argon2id', false],
  ['$argon2id$v=19$m=32,t=1,p=1$c2FsdHNhbHQ$aGFzaA', 'argon2id', true],
  ['$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaA', 'bcrypt', true],
  ['5ebe2294ecd0e0f08eab7690d2a6ee69', 'bcrypt', false]
]

for (const [hashed, kind, expected] of outdated) {
  void t.test(`${hashed.slice(0, 24)} is ${expected ? '' : 'not '}outdated where ${kind} is wanted`, async (t) => {
    t.equal(makePasswords({ ...hashing, kind }).isOutdated(hashed, 10), expected)
  })
}

void t.test('what cannot be a password is refused', async (t) => {
  for (const bad of ['', 5, null, undefined, {}]) t.throws(() => checkPassword(bad), { code: 'INVALID_PASSWORD' })
  t.throws(() => checkPassword('é'.repeat(37)), { code: 'PASSWORD_TOO_LONG' })
  t.doesNotThrow(() => checkPassword('é'.repeat(36)))
})
