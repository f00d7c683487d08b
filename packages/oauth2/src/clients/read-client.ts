import { clonePlain } from '@modelwire/core/plugin'
import { type PlainRecord, textOf, textsOf } from '../store/record-of.ts'
import { type Client, type ClientAuthMethod, clientAuthMethods } from './client.ts'

const secrets = new Set(['clientSecret', 'clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey'])
const isMethod = (text: string | undefined): text is ClientAuthMethod =>
  clientAuthMethods.some((method) => method === text)

/** The first list that holds something. @see loopback-component-oauth2: callbackUrls, redirectUris, redirectURIs */
const firstList = (record: PlainRecord, names: readonly string[]): readonly string[] =>
  names.map((name) => textsOf(record, name)).find((list) => list.length > 0) ?? []

/** The stored secret: `clientSecret`, else `restApiKey`. */
export function storedSecret(record: PlainRecord): { readonly column: string; readonly value: string } | undefined {
  for (const column of ['clientSecret', 'restApiKey']) {
    const value = textOf(record, column)
    if (value !== undefined) return { column, value }
  }
  return undefined
}

/** Most requests use few properties of a client, so each is read on access. */
class StoredClient implements Client {
  readonly id: string
  readonly #record: PlainRecord

  constructor(record: PlainRecord) {
    this.id = String(record['id'])
    this.#record = record
  }

  get name(): string {
    return textOf(this.#record, 'clientName') ?? textOf(this.#record, 'name') ?? this.id
  }

  get isPublic(): boolean {
    const record = this.#record
    const isOfPublicType = record['clientType'] === 'public' && storedSecret(record) === undefined
    return isOfPublicType || textOf(record, 'tokenEndpointAuthMethod') === 'none'
  }

  /** @see LoopBack 3: loopback, common/models/application.js, status */
  get isDisabled(): boolean {
    return this.#record['status'] === 'disabled'
  }

  get authMethods(): readonly ClientAuthMethod[] {
    const method = textOf(this.#record, 'tokenEndpointAuthMethod')
    return isMethod(method) ? [method] : []
  }

  get redirectUris(): readonly string[] {
    return firstList(this.#record, ['callbackUrls', 'redirectUris', 'redirectURIs'])
  }

  get postLogoutRedirectUris(): readonly string[] {
    return textsOf(this.#record, 'postLogoutRedirectURIs')
  }

  get grantTypes(): readonly string[] {
    return textsOf(this.#record, 'grantTypes')
  }

  get responseTypes(): readonly string[] {
    return textsOf(this.#record, 'responseTypes')
  }

  get scopes(): readonly string[] {
    return textsOf(this.#record, 'scopes')
  }

  get jwks(): string | undefined {
    return textOf(this.#record, 'jwks') ?? textOf(this.#record, 'publicKey')
  }

  get jwksUri(): string | undefined {
    return textOf(this.#record, 'jwksURI')
  }

  get record(): PlainRecord {
    const shown = Object.entries(this.#record).filter(([name, value]) => !secrets.has(name) && value !== undefined)
    // A copy: callers may change it.
    return Object.fromEntries(shown.map(([name, value]) => [name, clonePlain(value)]))
  }
}

/** The client of a record. */
export function readClient(record: PlainRecord): Client {
  return new StoredClient(record)
}
