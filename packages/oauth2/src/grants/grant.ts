import type { FastifyRequest } from 'fastify'
import type { Client } from '../clients/client.ts'
import type { Parameters } from '../http/parameters.ts'
import type { GrantName } from './grant-kinds.ts'
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
export interface Grant {
  readonly name: GrantName
  /** False: for confidential clients alone. */
  readonly allowsPublic: boolean
  readonly issue: (request: GrantRequest) => Promise<Issued>
  /** LB3: the JWT grant answers with `bearer`; pinned by the recorded pairs. */
  readonly tokenType?: string
}
