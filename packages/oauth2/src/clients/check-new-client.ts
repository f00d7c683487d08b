import { ClientInvalid } from '../errors.ts'
import { isLoopback, isRegistrable } from './redirect-uris.ts'
import type { NewClient } from './new-client.ts'

/** The transport is not readable by others. @see RFC 9700 section 2.6 */
const isPrivate = (address: string): boolean => !address.toLowerCase().startsWith('http:') || isLoopback(address)

/** Those of this machine are read only where the option `privateClientKeys` is set. */
const isAddressOfKeys = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text) && isPrivate(text)

/** What is wrong with a new client, by rule. */
const rules: readonly (readonly [(client: NewClient) => boolean, string])[] = [
  [({ name }) => typeof name !== 'string' || name === '', 'a client needs a name'],
  [
    ({ id }) => id !== undefined && !/^[\x21-\x7e]{1,128}$/.test(id),
    'an id must have 1 to 128 printable ASCII characters'
  ],
  [
    ({ redirectUris = [], postLogoutRedirectUris = [] }) =>
      ![...redirectUris, ...postLogoutRedirectUris].every(isRegistrable),
    'a redirect URI is absolute, has no fragment and no script'
  ],
  [({ redirectUris = [] }) => !redirectUris.every(isPrivate), 'a redirect URI is of https, or of this device'],
  [
    ({ type, authMethod }) => type === 'public' && (authMethod ?? 'none') !== 'none',
    'a public client has no credentials'
  ],
  [({ type, authMethod }) => type !== 'public' && authMethod === 'none', 'a confidential client has credentials'],
  [
    ({ authMethod, jwks, jwksUri }) => authMethod === 'private_key_jwt' && !jwks && !jwksUri,
    'private_key_jwt needs the public keys in jwks, or their address in jwksUri'
  ],
  [({ jwks, jwksUri }) => Boolean(jwks) && Boolean(jwksUri), 'keys are in jwks or at jwksUri, not both'],
  [({ jwksUri }) => jwksUri !== undefined && !isAddressOfKeys(jwksUri), 'jwksUri is an address of https']
]

/** @throws {ClientInvalid} see the message for the reason */
export function checkNewClient(client: NewClient): void {
  const broken = rules.find(([isBroken]) => isBroken(client))
  if (broken !== undefined) throw new ClientInvalid(broken[1])
}
