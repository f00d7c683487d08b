import type { SchemaParts } from './type-schema.ts'

/** What answers are made of. */
export interface AnswerParts extends SchemaParts {
  /** Media types of answers, the default first. */
  readonly answers: readonly string[]
  /** The member of an error's body that holds the error. */
  readonly errorMember: string | undefined
  /** The media type of problem details; undefined where errors are never written as such. */
  readonly problemType: string | undefined
  /** Lists have entity tags. */
  readonly listTags: boolean
  /** The status of answers to operations that create a record. */
  readonly createdStatus: 200 | 201
  /** POST and PATCH take an Idempotency-Key. */
  readonly idempotencyKeys: boolean
}
