import type { AccessType, RowsFunction } from '@modelwire/core'

/** What a rule says about records: the caller's own, or what a function says. */
export type RowsOf = '$owner' | RowsFunction

/** What a rule says about the calls that it is about. */
export type Permission = 'ALLOW' | 'DENY' | 'AUDIT' | 'ALARM' | undefined

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
  /** Calls are allowed as far as records are the caller's own, or those that a function names. */
  readonly rows?: RowsOf | undefined
}

/** What of a call decides which rules are about it. */
export interface Call {
  readonly model: string
  /** Without `prototype.`. */
  readonly method: string
  /** Other names of the method. */
  readonly aliases: readonly string[]
  /** `*` in a question about calls of every type. */
  readonly accessType: AccessType | '*'
}

/** A rule that is about a call, with its weight. */
export interface WeighedRule {
  readonly rule: Rule
  readonly weight: number
}
