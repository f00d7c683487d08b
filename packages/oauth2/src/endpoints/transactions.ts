import { isPlainObject } from '@modelwire/core/plugin'
import { TransactionUnknown } from '../errors.ts'
import type { ServerParts } from '../server-parts.ts'
import { randomText } from '../tokens/random-text.ts'
import { type AuthorizationRequest, redirectUriOf } from './authorization-request.ts'
import type { Permitted } from './grant-authorization.ts'

const kind = 'transaction'
/** Milliseconds until a consent page expires. */
const consentTimeoutMs = 10 * 60 * 1000

/** What of a request is stored while its user thinks: everything but the client, which is read anew. */
type StoredRequest = Omit<AuthorizationRequest, 'client' | 'prompt'>

interface Stored {
  readonly clientId: string
  readonly userId: unknown
  readonly authTime: string
  readonly request: StoredRequest
}

/** Keeps a request until its user has decided; gives the id of the question. */
export async function startTransaction({ states }: ServerParts, permitted: Permitted): Promise<string> {
  const { client, prompt: _prompt, ...request } = permitted.request
  const id = randomText()
  const { user, authTime } = permitted
  const data: Stored = { clientId: client.id, userId: user.id, authTime: authTime.toISOString(), request }
  await states.add(kind, id, data, new Date(Date.now() + consentTimeoutMs))
  return id
}

const isStored = (data: unknown): data is Stored => isPlainObject(data) && 'clientId' in data

const unknown = (): TransactionUnknown =>
  new TransactionUnknown('this request is no longer open: it was answered, it expired, or it belongs to another user')

/**
 * Ends a transaction of the user who is signed in, once.
 * @throws {TransactionUnknown} there is none, it is another user's or another login's, or it was answered
 * @throws {RedirectUriNotAllowed} the client may not be answered there any more
 */
export async function endTransaction(
  parts: ServerParts,
  id: string,
  session: { readonly userId: unknown; readonly authTime: Date }
): Promise<Permitted> {
  const { states, clients, users } = parts
  const row = await states.read(kind, id)
  if (row === undefined || !isStored(row.data)) throw unknown()
  const { clientId, userId, authTime, request } = row.data
  const isOthers = String(userId) !== String(session.userId) || authTime !== session.authTime.toISOString()
  if (isOthers || !(await states.change(kind, id, 'new', 'answered'))) throw unknown()
  const [client, user] = await Promise.all([clients.find(clientId), users.find(session.userId)])
  if (client === undefined || user === undefined) throw unknown()
  // Where the answer goes may have been taken from the client meanwhile.
  if (redirectUriOf(parts, client, request.requestedRedirectUri) !== request.answerTo.redirectUri) throw unknown()
  return { request: { ...request, client, prompt: new Set() }, user, authTime: session.authTime }
}
