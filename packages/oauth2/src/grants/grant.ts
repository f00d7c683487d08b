import type { FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.ts'
import type { Parameters } from '../http/parameters.ts'
import type { GrantKind } from './grant-kind.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Issued } from '../tokens/issue-token.ts'

/** A token request whose client is known. */
export interface GrantRequest {
  readonly parts: ServerParts
  readonly client: Client
  readonly parameters: Parameters
  readonly request: FastifyRequest
}

/** A grant: what a `grant_type` does. */
export interface Grant extends GrantKind {
  /** False: for confidential clients alone. */
  readonly allowsPublic: boolean
  readonly issue: (request: GrantRequest) => Promise<Issued>
  /** Parameters that this grant alone has: a list of values is refused. */
  readonly parameters?: readonly string[]
  /** Finds the client of a request that has nothing but the grant to name it; undefined where the grant does not. */
  readonly findClient?: (parts: ServerParts, parameters: Parameters) => Promise<Client | undefined>
  /** True: an endpoint before this one has checked that the client may use the grant. */
  readonly isCheckedBefore?: boolean
  /** LB3: the JWT grant answers with `bearer`; pinned by the recorded pairs. */
  readonly tokenType?: string
}
