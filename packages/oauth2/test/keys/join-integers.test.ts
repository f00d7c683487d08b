import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import * as fc from 'fast-check'
import t from 'tap'
import { joinIntegers } from '#src/keys/join-integers.ts'

/** A number as DER has it: no zeros in front but the one that keeps it positive. */
function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = Buffer.from(first === -1 ? [0] : bytes.slice(first))
  const value = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short
  return Buffer.concat([Buffer.from([2, value.length]), value])
}

const number = fc
  .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([zeros, bytes]) => bytes.fill(0, 0, zeros))

void t.test('each number stands in its half, whatever zeros it begins with', async () => {
  fc.assert(
    fc.property(number, number, (one, other) => {
      const numbers = Buffer.concat([integer(one), integer(other)])
      const der = Buffer.concat([Buffer.from([0x30, numbers.length]), numbers])
      return joinIntegers(der).equals(Buffer.concat([one, other]))
    })
  )
})

void t.test('signatures stay good', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  // About one number in 256 is shorter than the others.
  for (let at = 0; at < 600; at++) {
    const data = Buffer.from(`text ${at}`)
    const signature = joinIntegers(sign('sha256', data, key))
    const isGood = verify('sha256', data, { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' }, signature)
    if (!isGood) t.fail(`the signature of ${String(data)} is not good`)
  }
  t.pass()
})
