import { ClientInvalid } from '../errors.ts'
import { grantTable } from '../grants/grant-table.ts'
import { grantOfResponse } from '../grants/response-types.ts'
import { isScope } from '../tokens/scopes.ts'
import { clientAuthMethods } from './client.ts'
import type { NewClient } from './new-client.ts'
import { isLoopback, isRegistrable } from './redirect-uris.ts'

/** The transport is not readable by others. @see RFC 9700 section 2.6 */
const isPrivate = (address: string): boolean => !address.toLowerCase().startsWith('http:') || isLoopback(address)

/** Those of this machine are read only where the option `privateClientKeys` is set. */
const isAddressOfKeys = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text) && isPrivate(text)

/** The members of a new client, with the values that they may have where these are few. */
const members: Readonly<Record<keyof NewClient, readonly string[] | undefined>> = {
  id: undefined,
  name: undefined,
  type: ['confidential', 'public'],
  redirectUris: undefined,
  postLogoutRedirectUris: undefined,
  grantTypes: Object.values(grantTable).map(({ type }) => type),
  responseTypes: Object.keys(grantOfResponse),
  scopes: undefined,
  authMethod: clientAuthMethods,
  jwks: undefined,
  jwksUri: undefined,
  record: undefined
}

/** Columns that have a member of their own, which is checked. */
const checkedColumns = ['redirectURIs', 'postLogoutRedirectURIs', 'grantTypes', 'responseTypes', 'scopes']

/** Why a member is not known, or has a value that no request could use; undefined where all is well. */
function unknownMember([name, value]: readonly [string, unknown]): string | undefined {
  if (!Object.hasOwn(members, name)) return `unknown property "${name}"`
  const allowed = Object.entries(members).find(([known]) => known === name)?.[1]
  const unknown = [value ?? []].flat().find((item) => allowed?.some((known) => known === item) === false)
  return unknown === undefined
    ? undefined
    : `${name}: unknown value "${String(unknown)}", must be one of ${allowed?.join(', ')}`
}

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
  [({ scopes = [] }) => !scopes.every(isScope), 'a scope must not be empty or contain spaces, quotes or backslashes'],
  [
    ({ record = {} }) => checkedColumns.some((column) => column in record),
    `record must not contain ${checkedColumns.join(', ')}: use the properties of the client`
  ],
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
  const problem =
    Object.entries(client)
      .map(unknownMember)
      .find((text) => text !== undefined) ?? rules.find(([isBroken]) => isBroken(client))?.[1]
  if (problem !== undefined) throw new ClientInvalid(problem)
}
