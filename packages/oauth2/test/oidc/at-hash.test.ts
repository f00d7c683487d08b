import { createHash } from 'node:crypto'
import t from 'tap'
import { atHash } from '#src/oidc/id-token.ts'

const token = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'

t.test('the hash is that of the example in OpenID Connect Core, appendix A.3', async (t) => {
  t.equal(atHash(token, 'RS256'), '77QmUPtjPfzWtF2AnpK9RQ')
})

const hashes = { ES256: 'sha256', PS384: 'sha384', ES512: 'sha512', EdDSA: 'sha512', Ed25519: 'sha512' }

for (const [algorithm, hash] of Object.entries(hashes))
  t.test(`${algorithm} takes the left half of ${hash}`, async (t) => {
    const hex = createHash(hash).update(token).digest('hex')
    t.equal(Buffer.from(atHash(token, algorithm), 'base64url').toString('hex'), hex.slice(0, hex.length / 2))
  })
