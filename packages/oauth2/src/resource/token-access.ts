import type { Awaitable } from '@modelwire/core/plugin'

/** What a valid access token allows, and to whom. */
export interface TokenAccess {
  readonly clientId: string
  /** Undefined where the client acts for itself. */
  readonly userId?: unknown
  readonly scopes: readonly string[]
  /** Resources that the token is meant for; undefined where it names none. */
  readonly audience?: readonly string[] | undefined
  readonly issuedAt?: Date | undefined
  readonly expiresAt?: Date | undefined
  /** All claims of a JWT, or all members of an introspection answer. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined
  /** The user's record, where this process has it. */
  readonly user?: unknown
  /** The client's record, where this process has it. */
  readonly client?: unknown
  /** What `checkAccessToken` called the token, as handlers of LoopBack find it. */
  readonly record?: unknown
}

/**
 * Finds out what a presented token stands for; a promise only where something has to be waited for.
 * @throws {InvalidToken} (the function) it is not valid here
 */
export type CheckToken = (token: string) => Awaitable<TokenAccess>
