import type { RowsFunction } from '@modelwire/core'
import type { FieldNames, Operation } from '@modelwire/core/plugin'

/**
 * The records that a rule applies to: the caller's own, those that a function names, or those whose relations lead to
 * the caller.
 */
export type RowsOf = '$owner' | RowsFunction | RowsPath

/** Relations that lead from records to users: `organisation`, `members`. */
export interface RowsPath {
  readonly path: readonly string[]
}

/** The properties that a rule lets its callers read and set; undefined: all. */
export interface FieldsOf {
  readonly read: FieldNames | undefined
  readonly write: FieldNames | undefined
}

/** The permissions of rules. */
export const permissions = ['ALLOW', 'DENY', 'AUDIT', 'ALARM'] as const

/** The permission of a rule; undefined allows. */
export type Permission = (typeof permissions)[number] | undefined

/** One access rule, of a model file or a stored row, in its short form. */
export interface Rule {
  readonly principalType: string | undefined
  readonly principalId: string | undefined
  readonly permission: Permission
  /** `*` or an access type. */
  readonly accessType: string
  /** Method names; `*` is every one. */
  readonly properties: readonly string[]
  /** A model's name, or `*`. */
  readonly model: string
  /** Comes from the model `ACL`: aliases of methods count. */
  readonly isStored: boolean
  /** Calls are only allowed for some records. */
  readonly rows?: RowsOf | undefined
  /** Calls are only allowed for some properties. */
  readonly fields?: FieldsOf | undefined
}

/** The properties of a call that decide which rules apply to it. */
export interface Call {
  readonly model: string
  /** Without `prototype.`. */
  readonly method: string
  /** Other names of the method. */
  readonly aliases: readonly string[]
  /** `*` in a check for calls of every type. */
  readonly accessType: Operation['accessType'] | '*'
}

/** A rule that applies to a call, with its weight. */
export interface WeighedRule {
  readonly rule: Rule
  readonly weight: number
}
