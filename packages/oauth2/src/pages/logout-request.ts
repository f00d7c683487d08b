import { InvalidRequest, RedirectUriNotAllowed } from '../errors.ts'
import type { Parameters } from '../http/parameters.ts'
import { checkTexts } from '../http/protocol-names.ts'
import type { IdTokenHint } from '../oidc/id-token-hint.ts'
import type { PageParts } from './page-parts.ts'

/** The logout request of a client. */
export interface LogoutRequest {
  /** The id of the user whom it means, by an ID token of that user. */
  readonly meant?: string | undefined
  /** Where to go afterwards: an address of the client, with its state. */
  readonly target?: string | undefined
  /** Its parameters, for the form that asks the user. */
  readonly fields: Readonly<Record<string, string>>
}

/** A hint that is not an ID token of this server is ignored: then the user is asked. */
async function readHint({ readHint: read }: PageParts, hint: string | undefined): Promise<IdTokenHint | undefined> {
  if (hint === undefined) return undefined
  try {
    return await read?.(hint)
  } catch (error) {
    if (error instanceof InvalidRequest) return undefined
    throw error
  }
}

/** @throws {RedirectUriNotAllowed} the address is not registered, sign by sign, for logouts of this client */
async function checkTarget({ clients }: PageParts, clientId: string, address: string): Promise<void> {
  const client = await clients.find(clientId)
  if (!client?.postLogoutRedirectUris.includes(address))
    throw new RedirectUriNotAllowed('post_logout_redirect_uri is not registered')
}

const withState = (address: string, state: string | undefined): string =>
  state === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`

/**
 * Reads the logout request of a client. Parameters without a client are ignored.
 * @throws {InvalidRequest} the hint was issued to another client than the named one
 * @throws {RedirectUriNotAllowed} the redirect URI is not registered
 * @see OpenID Connect RP-Initiated Logout 1.0, sections 2 and 3
 */
export async function readLogoutRequest(parts: PageParts, parameters: Parameters): Promise<LogoutRequest> {
  if (parts.readHint === undefined) return { fields: {} }
  const texts = checkTexts(parameters)
  const hint = await readHint(parts, texts.one('id_token_hint'))
  const claimed = texts.one('client_id')
  if (hint !== undefined && claimed !== undefined && hint.clientId !== claimed)
    throw new InvalidRequest('id_token_hint was given to another client')
  const [clientId, address] = [claimed ?? hint?.clientId, texts.one('post_logout_redirect_uri')]
  if (clientId === undefined || address === undefined) return { meant: hint?.subject, fields: {} }
  await checkTarget(parts, clientId, address)
  const state = texts.one('state')
  const fields = { client_id: clientId, post_logout_redirect_uri: address, ...(state === undefined ? {} : { state }) }
  return { meant: hint?.subject, target: withState(address, state), fields }
}
