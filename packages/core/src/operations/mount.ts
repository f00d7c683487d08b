import type { ModelType } from '../contract/model-type.ts'
import { isReading } from './effect.ts'
import type { Endpoint, HttpVerb, Operation } from './operation.ts'

/** One verb and path that is answered, relative to the prefix. `:name` marks a parameter. */
export interface MountedRoute {
  readonly verb: Exclude<HttpVerb, 'ALL'>
  readonly path: string
  readonly operation: Operation
  readonly endpoint: Endpoint
}

/** Operations that are served over HTTP, as the server describes them to documents. */
export interface Mount {
  /** `/api`; empty at the root of the server. */
  readonly prefix: string
  readonly routes: readonly MountedRoute[]
  /** Media types of answers, the default first. */
  readonly answers: readonly string[]
  /** The member of an error's body that holds the error; undefined where the error is the body. */
  readonly errorMember: string | undefined
  /** The media type of problem details; undefined where errors are never written as such. */
  readonly problemType: string | undefined
  /** Lists have weak entity tags. */
  readonly listTags: boolean
  /** The status of answers to operations that create a record. */
  readonly createdStatus: 200 | 201
  /** POST and PATCH take an Idempotency-Key, unless they only read. */
  readonly idempotencyKeys: boolean
  /** Where several requests are sent as one; undefined: nowhere. */
  readonly batch: MountedBatch | undefined
}

/** Where several requests are sent as one. Paths are relative to the prefix. */
export interface MountedBatch {
  readonly path: string
  /** How many requests, or records, one may have. */
  readonly limit: number
  /** JSON schema of the body of a batch. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Models, many records of which can be written at once, and how: `create`, `update`, `upsert`, `delete`. */
  readonly bulk: readonly { readonly model: ModelType; readonly path: string; readonly verbs: readonly string[] }[]
}

/** The status of an operation's success: its own, else 204 where it returns nothing, else `createdStatus` where it creates a record. */
export function successStatus({ status, returns, effect }: Operation, createdStatus: 200 | 201): number {
  if (status !== undefined) return status
  if (returns.length === 0) return 204
  return effect.verb === 'create' ? createdStatus : 200
}

/** True where a client may have to repeat a request without knowing what the first one did. What only reads is read again. */
export const takesIdempotencyKey = ({
  verb,
  operation
}: {
  readonly verb: string
  readonly operation: Operation
}): boolean => ['POST', 'PATCH'].includes(verb.toUpperCase()) && !isReading(operation.effect)
