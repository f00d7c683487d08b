import { InvalidClient } from '../errors.ts'
import { addressOf } from '../http/address-of.ts'
import type { OAuth2Parts } from '../parts.ts'
import type { VerifyClientAssertion } from './authenticate-client.ts'
import { remoteClientKeys } from './remote-client-keys.ts'
import { assertionVerifier, claimedIssuer, type VerifyAssertion } from './verify-assertion.ts'

/** Seconds. */
const clockTolerance = 5
const longestLife = 3600

/** Names by which assertions may mean this server. LB3: the bare path, and nothing else; pinned by the recorded pairs. */
function audienceOf({ settings: { issuer, paths, rules } }: OAuth2Parts): readonly string[] {
  const own =
    issuer === undefined ? [] : [issuer, ...(paths.token === undefined ? [] : [addressOf(issuer, paths.token)])]
  return rules.takesPathAsAudience && paths.token !== undefined ? [...own, paths.token] : own
}

/**
 * Makes the function that verifies assertions of clients of this server, whatever they are for: none is used twice, in
 * whichever process.
 */
export function makeAssertionVerifier(parts: OAuth2Parts, algorithms: readonly string[]): VerifyAssertion {
  const { states, settings, log } = parts
  const useOnce = async (issuer: string, id: string, until: Date): Promise<boolean> =>
    states.add('assertion', JSON.stringify([issuer, id]), {}, until)
  const allowPrivate = settings.options.privateClientKeys
  const keysAt = (address: string) => remoteClientKeys(address, { allowPrivate, log })
  const rules = { audience: audienceOf(parts), algorithms, clockTolerance, longestLife, useOnce, keysAt }
  return assertionVerifier(rules, !settings.rules.takesForeignSubjects)
}

/** Makes the function that proves clients by assertions. @see RFC 7523 section 2.2 */
export function makeClientProof({ clients }: OAuth2Parts, verify: VerifyAssertion): VerifyClientAssertion {
  return async (assertion) => {
    const client = await clients.find(claimedIssuer(assertion, 'client'))
    if (client === undefined) throw new InvalidClient('the client assertion cannot be verified')
    await verify({ assertion, kind: 'client', clientId: client.id, keys: client.jwks, keysAt: client.jwksUri })
    return client
  }
}
