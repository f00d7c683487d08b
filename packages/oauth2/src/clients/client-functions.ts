import type { ModelClass } from '@modelwire/core'
import { ClientUnknown } from '../errors.ts'
import { hashToken } from '../store/hash-token.ts'
import { recordOf } from '../store/record-of.ts'
import { randomText } from '../tokens/random-text.ts'
import { checkNewClient } from './check-new-client.ts'
import type { Client } from './client.ts'
import type { NewClient } from './new-client.ts'
import { readClient } from './read-client.ts'

/** A client with the secret that only its creation and rotation show. */
export interface ClientWithSecret {
  readonly client: Client
  readonly secret?: string
}

/** Manages clients. */
export interface ClientFunctions {
  /** Stores a client. A confidential one gets a secret, unless it authenticates by a key. @throws {ClientInvalid} */
  create(client: NewClient): Promise<ClientWithSecret>
  list(): Promise<readonly Client[]>
  find(id: string): Promise<Client | undefined>
  /** Gives a client a new secret; the old one ends at once. @throws {ClientUnknown} there is none, or it is public */
  rotateSecret(id: string): Promise<ClientWithSecret>
  /** Ends a client until it is enabled: it gets no tokens, and those that it has are not accepted. @throws {ClientUnknown} */
  disable(id: string): Promise<Client>
  /** Takes `disable` back; tokens that have not expired are accepted again. @throws {ClientUnknown} */
  enable(id: string): Promise<Client>
  /** Removes a client with everything that was permitted and issued to it. False when there is none. */
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
  revokeClient: (id: string) => Promise<void>
): ClientFunctions {
  const find = (id: string): Promise<Client | undefined> => findStored(clients(), id)
  return {
    disable: (id) => setStatus(clients(), id, 'disabled'),
    enable: (id) => setStatus(clients(), id, 'production'),
    async create(client) {
      checkNewClient(client)
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
