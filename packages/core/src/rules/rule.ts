/** What a rule found wrong. */
export interface Problem {
  readonly property: string
  /** Such as `presence` or `length.min`. */
  readonly code: string
  readonly message: string
}

/** A record under validation and where to look for others. */
export interface RuleContext {
  /** The record itself; custom rules get it as `this`. */
  readonly record: Record<string, unknown>
  /** True when another stored record has the same values. */
  readonly isTaken: (values: Readonly<Record<string, unknown>>) => Promise<boolean>
  readonly options: Record<string, unknown>
}

/** One validation rule of one property. */
export interface Rule {
  readonly property: string
  /** Name of the rule: `presence`, `length`, `numericality`, `inclusion`, `exclusion`, `format`, `absence`, `uniqueness`, `custom`. */
  readonly kind: string
  /** Its configuration, for documents. */
  readonly options: Readonly<Record<string, unknown>>
  /** True when `check` answers at once. */
  readonly sync: boolean
  /** True when models that extend its model do not have it. */
  readonly isOwn?: boolean
  readonly check: (context: RuleContext) => readonly Problem[] | Promise<readonly Problem[]>
}
