import type { FastifyRequest } from 'fastify'
import type { ServerServices } from '../../container.ts'
import { InvalidGrant } from '../../errors.ts'
import type { Parameters } from '../../http/parameters.ts'
import type { GrantKind } from '../../options/grant-kind.ts'
import type { UserFacts } from '../../options/option-functions.ts'
import type { Client } from '../clients/client.ts'
import type { Issued } from '../tokens/issue-token.ts'

/** The dependencies of grants. */
export type GrantServices = Pick<
  ServerServices,
  | 'assertions'
  | 'clients'
  | 'codes'
  | 'deviceCodes'
  | 'guesses'
  | 'issueTokens'
  | 'permissions'
  | 'settings'
  | 'states'
  | 'tokens'
  | 'users'
>

/** A token request whose client is known. */
export interface GrantRequest {
  readonly services: GrantServices
  readonly client: Client
  readonly parameters: Parameters
  readonly request: FastifyRequest
}

/** A grant: the implementation of a `grant_type`. */
export interface Grant extends GrantKind {
  /** False: only for confidential clients. */
  readonly allowsPublic: boolean
  readonly issue: (request: GrantRequest) => Promise<Issued>
  /** Parameters specific to this grant: lists are refused. */
  readonly parameters?: readonly string[]
  /** Finds the client of a request that only the grant identifies; undefined if the grant does not. */
  readonly findClient?: (services: GrantServices, parameters: Parameters) => Promise<Client | undefined>
  /** True: an earlier endpoint has checked that the client may use the grant. */
  readonly isCheckedBefore?: boolean
  /** LB3: the JWT grant returns `bearer`; pinned by the recorded pairs. */
  readonly tokenType?: string
}

/**
 * The user with this name, if it exists and has consented to these scopes for the client. The response does not reveal
 * which of both fails.
 */
export async function permittedUser(
  { services: { users, permissions }, client }: GrantRequest,
  name: string,
  scopes: readonly string[]
): Promise<UserFacts | undefined> {
  const user = await users.findByName(name)
  const isPermitted = await permissions.covers(client.id, user?.id ?? null, scopes)
  return isPermitted ? user : undefined
}

/** @throws {InvalidGrant} the user who permitted it is gone since; a client that acts for itself has none */
export async function checkUser({ users }: Pick<GrantServices, 'users'>, userId: unknown): Promise<void> {
  if (userId !== undefined && (await users.find(userId)) === undefined)
    throw new InvalidGrant('the user no longer exists')
}

/**
 * Issues tokens for a code or refresh token that was just used, and restores that if they cannot be issued, so that a retry
 * by the caller does not count as an attack.
 */
export async function issueOrRestore(
  issue: () => Promise<Issued>,
  { giveBack }: { readonly giveBack: () => Promise<unknown> }
): Promise<Issued> {
  try {
    return await issue()
  } catch (error) {
    // Where the store fails again it stays used up. The first error has the reason.
    await Promise.allSettled([giveBack()])
    throw error
  }
}
