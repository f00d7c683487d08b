import { ClientInvalid } from '../errors.ts'
import { isRegistrable } from './redirect-uris.ts'
import type { NewClient } from './client-functions.ts'

/** What is wrong with a new client, by rule. */
const rules: readonly (readonly [(client: NewClient) => boolean, string])[] = [
  [({ name }) => typeof name !== 'string' || name === '', 'a client needs a name'],
  [({ id }) => id !== undefined && !/^[\x21-\x7e]{1,128}$/.test(id), 'an id has 1 to 128 visible signs of ASCII'],
  [
    ({ redirectUris = [] }) => !redirectUris.every(isRegistrable),
    'a redirect URI is absolute, has no fragment and no script'
  ],
  [
    ({ type, authMethod }) => type === 'public' && (authMethod ?? 'none') !== 'none',
    'a public client has no credentials'
  ],
  [({ type, authMethod }) => type !== 'public' && authMethod === 'none', 'a confidential client has credentials'],
  [({ authMethod, jwks }) => authMethod === 'private_key_jwt' && !jwks, 'private_key_jwt needs the public keys in jwks']
]

/** @throws {ClientInvalid} the message says why */
export function checkNewClient(client: NewClient): void {
  const broken = rules.find(([isBroken]) => isBroken(client))
  if (broken !== undefined) throw new ClientInvalid(broken[1])
}
