/** A problem found by a rule. */
export interface Problem {
  readonly property: string
  /** Such as `presence` or `length.min`. */
  readonly code: string
  readonly message: string
  /** The property with the problem, if it is reported under another name. */
  readonly within?: string
}

/** A record being validated and access to others. */
export interface RuleContext {
  /** The record itself; custom rules get it as `this`. */
  readonly record: Record<string, unknown>
  /** True when another stored record has the same values. */
  readonly isTaken: (values: Readonly<Record<string, unknown>>) => Promise<boolean>
  readonly options: Record<string, unknown>
  /** What is written of the record; absent: all of it. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
}

/** One validation rule of one property. */
export interface Rule {
  readonly property: string
  /**
   * Name of the rule: `presence`, `length`, `numericality`, `inclusion`, `exclusion`, `format`, `absence`, `uniqueness`,
   * `check`, `custom`.
   */
  readonly kind: string
  /** Its configuration, for documents. */
  readonly options: Readonly<Record<string, unknown>>
  /** True if `check` is synchronous. */
  readonly sync: boolean
  /** True if models that extend its model do not inherit it. */
  readonly isOwn?: boolean
  /** It follows from the declaration of its property. */
  readonly ofProperty?: true
  readonly check: (context: RuleContext) => readonly Problem[] | Promise<readonly Problem[]>
}
