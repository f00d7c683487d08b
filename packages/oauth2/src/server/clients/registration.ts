import type { ModelClass } from '@modelwire/core'
import { ClientInvalid, ClientUnknown } from '../../errors.ts'
import { isScope } from '../../http/parameters.ts'
import { recordOf } from '../store/records.ts'
import { hashToken, randomText } from '../store/secrets.ts'
import { type Client, clientAuthMethods, type NewClient, readClient } from './client.ts'
import { isLoopback, isRegistrable } from './redirect-uris.ts'

/** The transport is not readable by others. @see RFC 9700 section 2.6 */
const isPrivate = (address: string): boolean => !address.toLowerCase().startsWith('http:') || isLoopback(address)

/** Those of this machine are read only where the option `privateClientKeys` is set. */
const isAddressOfKeys = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text) && isPrivate(text)

/** The allowed values of a client's properties, depending on the server's grants. */
type Vocabulary = Readonly<Record<'grantTypes' | 'responseTypes', readonly string[]>>

/** The members of a new client, with the values that they may have where these are few. */
const members: Readonly<Record<keyof NewClient, readonly string[] | undefined>> = {
  id: undefined,
  name: undefined,
  type: ['confidential', 'public'],
  redirectUris: undefined,
  postLogoutRedirectUris: undefined,
  grantTypes: undefined,
  responseTypes: undefined,
  scopes: undefined,
  authMethod: clientAuthMethods,
  jwks: undefined,
  jwksUri: undefined,
  record: undefined
}

/** Columns that have a member of their own, which is checked. */
const checkedColumns = ['redirectURIs', 'postLogoutRedirectURIs', 'grantTypes', 'responseTypes', 'scopes']

/** Why a member is not known, or has a value that no request could use; undefined where all is well. */
function unknownMember([name, value]: readonly [string, unknown], vocabulary: Vocabulary): string | undefined {
  if (!Object.hasOwn(members, name)) return `unknown property "${name}"`
  const allowed = Object.entries({ ...members, ...vocabulary }).find(([known]) => known === name)?.[1]
  const unknown = [value ?? []].flat().find((item) => allowed?.some((known) => known === item) === false)
  return unknown === undefined
    ? undefined
    : `${name}: unknown value "${String(unknown)}", must be one of ${allowed?.join(', ')}`
}

/** What is wrong with a new client, by rule. */
const rules: readonly (readonly [(client: NewClient) => boolean, string])[] = [
  [({ name }) => typeof name !== 'string' || name === '', 'a client must have a name'],
  [
    ({ id }) => id !== undefined && !/^[\x21-\x7e]{1,128}$/.test(id),
    'an id must have 1 to 128 printable ASCII characters'
  ],
  [
    ({ redirectUris = [], postLogoutRedirectUris = [] }) =>
      ![...redirectUris, ...postLogoutRedirectUris].every(isRegistrable),
    'a redirect URI must be absolute, without a fragment or script'
  ],
  [({ redirectUris = [] }) => !redirectUris.every(isPrivate), 'a redirect URI must use https or belong to this device'],
  [({ scopes = [] }) => !scopes.every(isScope), 'a scope must not be empty or contain spaces, quotes or backslashes'],
  [
    ({ record = {} }) => checkedColumns.some((column) => column in record),
    `record must not contain ${checkedColumns.join(', ')}: use the properties of the client`
  ],
  [
    ({ type, authMethod }) => type === 'public' && (authMethod ?? 'none') !== 'none',
    'a public client cannot have credentials'
  ],
  [({ type, authMethod }) => type !== 'public' && authMethod === 'none', 'a confidential client must have credentials'],
  [
    ({ authMethod, jwks, jwksUri }) => authMethod === 'private_key_jwt' && !jwks && !jwksUri,
    'private_key_jwt requires the public keys in jwks, or their URL in jwksUri'
  ],
  [({ jwks, jwksUri }) => Boolean(jwks) && Boolean(jwksUri), 'jwks and jwksUri cannot be combined'],
  [({ jwksUri }) => jwksUri !== undefined && !isAddressOfKeys(jwksUri), 'jwksUri must be an https URL']
]

/** @throws {ClientInvalid} see the message for the reason */
function checkNewClient(client: NewClient, vocabulary: Vocabulary): void {
  const problem =
    Object.entries(client)
      .map((member) => unknownMember(member, vocabulary))
      .find((text) => text !== undefined) ?? rules.find(([isBroken]) => isBroken(client))?.[1]
  if (problem !== undefined) throw new ClientInvalid(problem)
}

/** A client with its secret, which is only shown on creation and rotation. */
export interface ClientWithSecret {
  readonly client: Client
  readonly secret?: string
}

/** Manages clients. */
export interface ClientFunctions {
  /**
   * Stores a client. A confidential one gets a secret, unless it authenticates with a key.
   * @throws {ClientInvalid}
   */
  create(client: NewClient): Promise<ClientWithSecret>
  list(): Promise<readonly Client[]>
  find(id: string): Promise<Client | undefined>
  /**
   * Generates a new secret for a client; the old one becomes invalid at once.
   * @throws {ClientUnknown} there is none, or it is public
   */
  rotateSecret(id: string): Promise<ClientWithSecret>
  /**
   * Disables a client until it is enabled: it gets no tokens, and its existing tokens are not accepted.
   * @throws {ClientUnknown}
   */
  disable(id: string): Promise<Client>
  /**
   * Enables a disabled client; tokens that have not expired are accepted again.
   * @throws {ClientUnknown}
   */
  enable(id: string): Promise<Client>
  /** Removes a client with all its consents and tokens. False if it does not exist. */
  remove(id: string): Promise<boolean>
}

/** The record of a new client. */
function toRecord(client: NewClient, id: string, secret: string | undefined): Record<string, unknown> {
  const { name, type = 'confidential', grantTypes, responseTypes, scopes, authMethod, jwks, jwksUri } = client
  const uris = { redirectURIs: client.redirectUris, postLogoutRedirectURIs: client.postLogoutRedirectUris }
  const lists = { ...uris, grantTypes, responseTypes, scopes }
  const filled = Object.entries(lists).filter(([, list]) => list !== undefined)
  return {
    ...client.record,
    id,
    name,
    clientName: name,
    clientType: type,
    tokenEndpointAuthMethod: authMethod ?? (type === 'public' ? 'none' : undefined),
    ...Object.fromEntries(filled.map(([key, list]) => [key, [...(list ?? [])]])),
    ...(jwks === undefined ? {} : { jwks }),
    ...(jwksUri === undefined ? {} : { jwksURI: jwksUri }),
    ...(secret === undefined ? {} : { clientSecret: hashToken(secret) })
  }
}

async function findStored(clients: ModelClass, id: string): Promise<Client | undefined> {
  const found = await clients.findOne({ where: { id } })
  return found === null ? undefined : readClient(recordOf(found))
}

/** @throws {ClientUnknown} there is none, or a model of the application's own has no such property */
async function setStatus(clients: ModelClass, id: string, status: 'disabled' | 'production'): Promise<Client> {
  await clients.updateAll({ id }, { status })
  const client = await findStored(clients, id)
  if (client === undefined || client.isDisabled !== (status === 'disabled'))
    throw new ClientUnknown('no client with the property status has this id')
  return client
}

/** Makes the functions that manage clients. */
export function makeClientFunctions(
  clients: () => ModelClass,
  vocabulary: Vocabulary,
  revokeClient: (id: string) => Promise<void>
): ClientFunctions {
  const find = (id: string): Promise<Client | undefined> => findStored(clients(), id)
  return {
    disable: (id) => setStatus(clients(), id, 'disabled'),
    enable: (id) => setStatus(clients(), id, 'production'),
    async create(client) {
      checkNewClient(client, vocabulary)
      const hasSecret = client.type !== 'public' && client.authMethod !== 'private_key_jwt'
      const secret = hasSecret ? randomText(43) : undefined
      const record = recordOf(await clients().create(toRecord(client, client.id ?? randomText(20), secret)))
      return { client: readClient(record), ...(secret === undefined ? {} : { secret }) }
    },
    list: async () => (await clients().find({ order: 'id ASC' })).map((found) => readClient(recordOf(found))),
    find,
    async rotateSecret(id) {
      const client = await find(id)
      if (client === undefined || client.isPublic) throw new ClientUnknown('no confidential client has this id')
      const secret = randomText(43)
      // A restApiKey that served as the secret must not go on doing so.
      await clients().updateAll({ id }, { clientSecret: hashToken(secret), restApiKey: null })
      return { client, secret }
    },
    async remove(id) {
      const { count } = await clients().destroyAll({ id })
      await revokeClient(id)
      return count > 0
    }
  }
}
