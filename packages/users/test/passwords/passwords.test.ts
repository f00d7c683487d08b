import t from 'tap'
import { checkPassword } from '#src/passwords/check-password.ts'
import { limitParallel } from '#src/passwords/limit-parallel.ts'
import { makePasswords } from '#src/passwords/passwords.ts'

void t.test('a password matches its hash and nothing else', async (t) => {
  const passwords = makePasswords(2)
  const hashed = await passwords.hash('secret', 4)
  t.match(hashed, /^\$2a\$04\$.{53}$/)
  t.equal(await passwords.matches('secret', hashed, 4), true)
  for (const other of ['Secret', '', 5, null, { neq: '' }]) t.equal(await passwords.matches(other, hashed, 4), false)
  t.equal(await passwords.matches('secret', undefined, 4), false)
})

void t.test('hashes that LoopBack stored are known', async (t) => {
  const stored = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
  t.equal(await makePasswords(1).matches('wrong', stored, 10), false)
})

void t.test('what cannot be a password is refused', async (t) => {
  for (const bad of ['', 5, null, undefined, {}]) t.throws(() => checkPassword(bad), { code: 'INVALID_PASSWORD' })
  t.throws(() => checkPassword('é'.repeat(37)), { code: 'PASSWORD_TOO_LONG' })
  t.doesNotThrow(() => checkPassword('é'.repeat(36)))
})

void t.test('no more tasks run at once than there are places', async (t) => {
  const run = limitParallel(2)
  let [running, most] = [0, 0]
  const task = async (): Promise<void> => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  const failing = run(async () => {
    throw new Error('no')
  })
  await t.rejects(failing)
  await Promise.all(Array.from({ length: 7 }, () => run(task)))
  t.strictSame([most, running], [2, 0])
})
