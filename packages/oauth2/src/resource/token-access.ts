import type { Awaitable } from '@modelwire/server'

/** What a valid access token allows, and to whom. */
export interface TokenAccess {
  readonly clientId: string
  /** Undefined if the client acts for itself. */
  readonly userId?: unknown
  readonly scopes: readonly string[]
  /** Resources that the token is meant for; undefined if it names none. */
  readonly audience?: readonly string[] | undefined
  readonly issuedAt?: Date | undefined
  readonly expiresAt?: Date | undefined
  /** All claims of a JWT, or all members of an introspection response. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** The user's record, if this process has it. */
  readonly user?: unknown
  /** The client's record, if this process has it. */
  readonly client?: unknown
  /** The token returned by `checkAccessToken`, as LoopBack's handlers see it. */
  readonly record?: unknown
}

/**
 * Resolves a token; returns a promise only if something is asynchronous.
 * @throws {InvalidToken} (the function) it is not valid here
 */
export type CheckToken = (token: string) => Awaitable<TokenAccess>

/** Deep-freezes plain data: what is cached for one request must not be changed by another. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freezeDeep(member)
  return value
}
