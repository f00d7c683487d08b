import t from 'tap'
import { isSecret, makeSecret, createSecretSeal } from '#src/secrets/rotate-secret.ts'

const [first, second] = ['the first secret of 32 characters or more', 'the second secret of 32 characters or more']

t.test('a secret is encrypted with the first key, and opened by any', async (t) => {
  const secret = makeSecret()
  const sealed = await createSecretSeal([first]).close(secret)
  t.notOk(sealed.includes(secret.slice(6, 20)))
  t.equal(await createSecretSeal([second, first]).open(sealed), secret)
  await t.rejects(createSecretSeal([second]).open(sealed), { code: 'WEBHOOK_SECRET_SEALED' })
  await t.rejects(createSecretSeal([]).open(sealed), { code: 'WEBHOOK_SECRET_SEALED' })
})

t.test('without a key secrets are stored as they are, and read when there is one', async (t) => {
  const secret = makeSecret()
  t.equal(await createSecretSeal([]).close(secret), secret)
  t.equal(await createSecretSeal([first]).open(secret), secret)
})

t.test('a secret has 24 to 64 bytes in base64', async (t) => {
  const of = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
  for (const bytes of [24, 32, 64]) t.ok(isSecret(of(bytes)), String(bytes))
  for (const text of ['', 'whsec_', of(23), of(65), of(32).slice(6), `${of(32)}!`, `${of(32)}\n`])
    t.notOk(isSecret(text), text)
})
