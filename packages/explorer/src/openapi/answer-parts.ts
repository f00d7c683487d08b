import type { Operation } from '@modelwire/core/plugin'
import type { SchemaComponents } from './schema-components.ts'
import type { SchemaParts } from './type-schema.ts'

/** What answers are made of. */
export interface AnswerParts extends SchemaParts {
  /** Media types of answers, the usual one first. */
  readonly answers: readonly string[]
  /** The member of an error's body that holds the error. */
  readonly errorMember: string | undefined
  /** Answers that operations share: errors. */
  readonly responses: SchemaComponents
  /** Somebody decides who may call. */
  readonly isGuarded: (operation: Operation) => boolean
}
