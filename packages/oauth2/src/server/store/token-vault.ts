import { DuplicateKey, type ModelClass } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import {
  type Extras,
  factsOf,
  type GrantFacts,
  parameterOf,
  parametersOf,
  toColumns,
  toParameters
} from './grant-facts.ts'
import { dateOf, findRecord, type PlainRecord, recordOf } from './records.ts'
import { hashToken, isHashed } from './secrets.ts'

/** A token that was found in the store. */
export interface StoredToken extends GrantFacts {
  readonly kind: 'access' | 'refresh'
}

/** Looks up and revokes issued tokens. Values are the presented strings; the tables contain hashes. */
export interface TokenStore {
  /** The facts of an access token, even if it has expired; undefined if it is unknown or revoked. */
  findAccessToken(value: string): Promise<StoredToken | undefined>
  /** Like `findAccessToken`, for an unused refresh token. */
  findRefreshToken(value: string): Promise<StoredToken | undefined>
  /** Revokes a token of this client: a refresh token with its family, or just an access token. False if it does not exist. */
  revoke(value: string, clientId: string): Promise<boolean>
  /** Revokes all tokens and consents of a user, for one client or for all: on logout and when accounts are closed. */
  revokeUser(userId: unknown, clientId?: string): Promise<void>
}

/** A token to store. */
interface NewToken {
  readonly value: string
  readonly facts: GrantFacts
  readonly refresh?: { readonly value: string; readonly expiresAt: Date } | undefined
  readonly extras?: Extras
}

/** A refresh token that was found and is still unused. */
export interface FoundRefreshToken {
  readonly facts: GrantFacts
  /** Undefined for those of LoopBack's component, which never expire. */
  readonly expiresAt: Date | undefined
  /** Marks the token as used; true for only one of concurrent callers. */
  use(): Promise<boolean>
  /** Marks a used token as unused, if nothing came of it and its family was not revoked. */
  giveBack(): Promise<void>
  /** False once the family was revoked. */
  stands(): Promise<boolean>
}

/** Further operations on tokens that only the server itself may use. */
export interface TokenVault extends TokenStore {
  save(token: NewToken): Promise<void>
  /** The refresh token; `used` if it was already exchanged, and its family. */
  lookUpRefreshToken(value: string): Promise<FoundRefreshToken | { readonly used: GrantFacts } | undefined>
  /** Revokes all tokens of a family. */
  revokeFamily(family: string): Promise<void>
  /** Revokes one access token, with its refresh token. */
  remove(value: string): Promise<void>
  revokeClient(clientId: string): Promise<void>
  /** Revokes all access tokens; refresh tokens remain valid. */
  expireAll(): Promise<void>
}

const usedMark = 'used:'

/** How a text may be stored: hashed, or plain by LoopBack's component. What looks like a hash is never looked for. */
const storedForms = (value: string): readonly [string, ...string[]] =>
  isHashed(value) || value.startsWith(usedMark) ? [hashToken(value)] : [hashToken(value), value]

/** What came from a record: rows of LoopBack's component have no family and become their own. */
function withFamily(record: PlainRecord): GrantFacts {
  const facts = factsOf(record)
  return facts.family === undefined ? { ...facts, family: String(record['id']) } : facts
}

/** What a refresh token stands for: all that was granted, also where the access token was requested with less. */
function refreshFacts(record: PlainRecord): GrantFacts {
  const [scopes, resources] = [parametersOf(record, 'refresh_scope'), parametersOf(record, 'refresh_resource')]
  return {
    ...withFamily(record),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(resources.length === 0 ? {} : { resources })
  }
}

const refreshEnd = (record: PlainRecord): Date | undefined =>
  dateOf({ at: parameterOf(record, 'refresh_expires_at') }, 'at')

/** A column with its text hashed, unless it is already. */
const hashPlain = (text: unknown): unknown =>
  typeof text !== 'string' || isHashed(text) || text.startsWith(usedMark) ? (text ?? undefined) : hashToken(text)

/** Replaces a row of LoopBack's component by one that holds hashes. Several may do so at once. */
async function rehash(tokens: ModelClass, record: PlainRecord): Promise<PlainRecord> {
  const { id, refreshToken } = record
  const hashed = { ...record, id: hashPlain(id), refreshToken: hashPlain(refreshToken) }
  try {
    await tokens.create({ ...hashed, authorizationCode: record['authorizationCode'] ?? hashed.id })
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error
  }
  await tokens.destroyAll({ id })
  return recordOf(await tokens.findOne({ where: { id: hashed.id } }))
}

/** The row with a refresh token, hashes in place of plain ones. */
async function findRefreshRow(tokens: ModelClass, value: string): Promise<PlainRecord | undefined> {
  const found = await tokens.findOne({ where: { refreshToken: { inq: storedForms(value) } } })
  if (found === null) return undefined
  const record = recordOf(found)
  const row = isHashed(String(record['refreshToken'])) ? record : await rehash(tokens, record)
  // A concurrent request may have used or revoked the token.
  return row['refreshToken'] === hashToken(value) ? row : undefined
}

/** The row whose refresh token was used. */
async function findUsedRow(tokens: ModelClass, value: string): Promise<PlainRecord | undefined> {
  const used = await tokens.findOne({ where: { refreshToken: usedMark + hashToken(value) } })
  return used === null ? undefined : recordOf(used)
}

/** The row of an access token, hashes in place of plain ones: nearly always the first look finds it. */
async function findAccessRow(tokens: ModelClass, value: string): Promise<PlainRecord | undefined> {
  const [hash, plain] = storedForms(value)
  const found = await findRecord(tokens, hash)
  if (found !== undefined || plain === undefined) return found
  const older = await findRecord(tokens, plain)
  const row = older === undefined ? undefined : await rehash(tokens, older)
  return row?.['id'] === undefined ? undefined : row
}

function foundRefreshToken(tokens: ModelClass, row: PlainRecord): FoundRefreshToken {
  const { id, refreshToken } = row
  const used = usedMark + String(refreshToken)
  return {
    facts: refreshFacts(row),
    expiresAt: refreshEnd(row),
    async use() {
      const patch = { refreshToken: used, authorizationCode: withFamily(row).family }
      return (await tokens.updateAll({ id, refreshToken }, patch)).count === 1
    },
    giveBack: async () => void (await tokens.updateAll({ id, refreshToken: used }, { refreshToken })),
    stands: async () => (await tokens.count({ id })) === 1
  }
}

/** Removes all rows that match, also those that others insert meanwhile. */
async function removeAll(tokens: ModelClass, where: Readonly<Record<string, unknown>>): Promise<void> {
  let { count } = await tokens.destroyAll(where)
  while (count > 0) ({ count } = await tokens.destroyAll(where))
}

const asStored = (kind: StoredToken['kind'], facts: GrantFacts): StoredToken => ({ kind, ...facts })

/** The row that a new token is stored as. */
function toRow({ value, facts, refresh, extras }: NewToken): Record<string, unknown> {
  return {
    id: hashToken(value),
    ...toColumns(facts),
    parameters: toParameters(facts, { refresh_expires_at: refresh?.expiresAt.toISOString(), ...extras }),
    authorizationCode: facts.family,
    ...(refresh === undefined ? {} : { refreshToken: hashToken(refresh.value) }),
    tokenType: 'Bearer'
  }
}

/** Ends a token of a client. One that was used already may have been used by a thief. @see TokenStore */
async function revokeToken(tokens: ModelClass, value: string, clientId: string): Promise<boolean> {
  const access = await findAccessRow(tokens, value)
  const row = access ?? (await findRefreshRow(tokens, value)) ?? (await findUsedRow(tokens, value))
  if (row === undefined || row['appId'] !== clientId) return false
  const { id } = row
  if (access === undefined) await removeAll(tokens, { or: [{ id }, { authorizationCode: withFamily(row).family }] })
  else await tokens.destroyAll({ id })
  return true
}

/** Makes the store of access and refresh tokens on a model. */
export function makeTokenVault(tokens: () => ModelClass): TokenVault {
  const findRefresh = (value: string) => findRefreshRow(tokens(), value)
  return {
    save: async (token) => void (await repository.createForResponse(tokens().modelType, toRow(token), serverCall())),
    async findAccessToken(value) {
      const row = await findAccessRow(tokens(), value)
      return row === undefined ? undefined : asStored('access', factsOf(row))
    },
    async findRefreshToken(value) {
      const row = await findRefresh(value)
      if (row === undefined) return undefined
      return asStored('refresh', { ...refreshFacts(row), expiresAt: refreshEnd(row) ?? new Date(8.64e15) })
    },
    async lookUpRefreshToken(value) {
      const row = await findRefresh(value)
      if (row !== undefined) return foundRefreshToken(tokens(), row)
      const used = await findUsedRow(tokens(), value)
      return used === undefined ? undefined : { used: withFamily(used) }
    },
    revoke: (value, clientId) => revokeToken(tokens(), value, clientId),
    revokeUser: (userId, clientId) =>
      removeAll(tokens(), { userId, ...(clientId === undefined ? {} : { appId: clientId }) }),
    revokeFamily: (family) => removeAll(tokens(), { authorizationCode: family }),
    remove: async (value) => void (await tokens().destroyAll({ id: hashToken(value) })),
    revokeClient: (clientId) => removeAll(tokens(), { appId: clientId }),
    async expireAll() {
      const now = new Date()
      await tokens().updateAll({ expiredAt: { gt: now } }, { expiredAt: now })
    }
  }
}
