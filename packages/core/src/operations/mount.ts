import type { ModelType } from '../contract/model-type.ts'
import type { Endpoint, HttpVerb, Operation } from './operation.ts'

/** A served verb and path, relative to the prefix. `:name` marks a parameter. */
export interface MountedRoute {
  readonly verb: Exclude<HttpVerb, 'ALL'>
  readonly path: string
  readonly operation: Operation
  readonly endpoint: Endpoint
}

/** Operations served over HTTP, as described to documents. */
export interface Mount {
  /** `/api`; empty at the root of the server. */
  readonly prefix: string
  readonly routes: readonly MountedRoute[]
  /** Media types of responses, the default first. */
  readonly answers: readonly string[]
  /** The member of an error's body that contains the error; undefined if the error is the body. */
  readonly errorMember: string | undefined
  /** The media type of problem details; undefined if errors are never sent in that form. */
  readonly problemType: string | undefined
  /** Lists have weak entity tags. */
  readonly listTags?: boolean
  /** The status of responses to operations that create a record. */
  readonly createdStatus: 200 | 201
  /** POST and PATCH accept an Idempotency-Key, unless they only read. */
  readonly idempotencyKeys?: boolean
  /** The batch endpoint; absent if there is none. */
  readonly batch?: MountedBatch
}

/** The batch endpoint. Paths are relative to the prefix. */
export interface MountedBatch {
  readonly path: string
  /** Maximum number of requests, or records, in one. */
  readonly limit: number
  /** JSON schema of the body of a batch. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Models with bulk writes, and the supported verbs: `create`, `update`, `upsert`, `delete`. */
  readonly bulk: readonly { readonly model: ModelType; readonly path: string; readonly verbs: readonly string[] }[]
}
