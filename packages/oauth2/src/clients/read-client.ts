import { clonePlain } from '@modelwire/core'
import { type PlainRecord, textOf, textsOf } from '../store/record-of.ts'
import type { Client, ClientAuthMethod } from './client.ts'

const secrets = new Set(['clientSecret', 'clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey'])
const methods: ReadonlySet<string> = new Set(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'])
const isMethod = (text: string | undefined): text is ClientAuthMethod => text !== undefined && methods.has(text)

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

/** A client as its record says. */
export function readClient(record: PlainRecord): Client {
  const id = String(record['id'])
  const method = textOf(record, 'tokenEndpointAuthMethod')
  return {
    id,
    name: textOf(record, 'clientName') ?? textOf(record, 'name') ?? id,
    isPublic: method === 'none' || (record['clientType'] === 'public' && storedSecret(record) === undefined),
    authMethods: isMethod(method) ? [method] : [],
    redirectUris: firstList(record, ['callbackUrls', 'redirectUris', 'redirectURIs']),
    postLogoutRedirectUris: textsOf(record, 'postLogoutRedirectURIs'),
    grantTypes: textsOf(record, 'grantTypes'),
    responseTypes: textsOf(record, 'responseTypes'),
    scopes: textsOf(record, 'scopes'),
    jwks: textOf(record, 'jwks') ?? textOf(record, 'publicKey'),
    jwksUri: textOf(record, 'jwksURI'),
    // Few look at it, and whoever does may change it.
    get record() {
      const shown = Object.entries(record).filter(([name, value]) => !secrets.has(name) && value !== undefined)
      return Object.fromEntries(shown.map(([name, value]) => [name, clonePlain(value)]))
    }
  }
}
