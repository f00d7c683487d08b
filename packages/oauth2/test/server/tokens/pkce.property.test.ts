import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import t from 'tap'
import { InvalidGrant, InvalidRequest } from '#src/errors.ts'
import { checkVerifier, readChallenge } from '#src/server/tokens/pkce.ts'

/** @see RFC 7636 sections 4.1 and 4.2 */
const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'
const verifier = fc.string({ unit: fc.constantFrom(...Array.from(unreserved)), minLength: 43, maxLength: 128 })
const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

function isAccepted(presented: string | undefined, challenge: string | undefined): boolean {
  try {
    checkVerifier(presented, challenge)
    return true
  } catch (error) {
    if (error instanceof InvalidGrant) return false
    throw error
  }
}

void t.test('a challenge that is made of a verifier is taken, and that verifier alone fits it', async () => {
  const other = fc.oneof(verifier, fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(verifier, other, (own, foreign) => {
      const challenge = readChallenge({ challenge: challengeOf(own), method: 'S256' }, true)
      return (
        isAccepted(own, challenge) &&
        isAccepted(foreign, challenge) === (foreign === own) &&
        !isAccepted(own, undefined)
      )
    })
  )
})

void t.test('a verifier of another length or with another sign fits nothing, not even its own challenge', async () => {
  const malformed = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from(unreserved)), maxLength: 42 }),
    fc.string({ unit: fc.constantFrom(...Array.from(unreserved)), minLength: 129, maxLength: 140 }),
    fc.tuple(verifier, fc.constantFrom('+', '/', '=', '\n', ' ', 'é', '\0')).map(([text, sign]) => text.slice(1) + sign)
  )
  fc.assert(fc.property(malformed, (text) => !isAccepted(text, challengeOf(text))))
})

void t.test('whatever challenge and method come: a SHA-256 in Base64url, nothing, or one coded error', async () => {
  const maybe = (...known: readonly string[]) =>
    fc.option(fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary' })), { nil: undefined })
  const challenge = maybe(challengeOf('x'), `${challengeOf('x')}=`, `${challengeOf('x')}\n`, 'x'.repeat(43))
  fc.assert(
    fc.property(challenge, maybe('S256', 'plain', 's256'), fc.boolean(), (given, method, isRequired) => {
      try {
        const read = readChallenge({ challenge: given, method }, isRequired)
        if (read === undefined) return given === undefined && !isRequired
        return read === given && method === 'S256' && Buffer.from(read, 'base64url').length === 32
      } catch (error) {
        return error instanceof InvalidRequest
      }
    })
  )
})
