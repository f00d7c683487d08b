/** What is wrong with one access rule. */
export interface RuleProblem {
  /** The key of the rule that is wrong: `permission`, `property.1`; undefined: the rule as a whole. */
  readonly key: string | undefined
  readonly reason: string
  /** What to write instead. */
  readonly advice: string
  /**
   * `ignored`: LoopBack starts with such a rule, and never applies it or applies it differently than written.
   * `unstored`: no record of the model Role has the name. `refused`: the problem exists only in Modelwire. `unasked`: nothing asks the
   * rule, nor did LoopBack.
   */
  readonly kind: 'ignored' | 'unstored' | 'refused' | 'unasked'
}

/** Makes a problem of what LoopBack reads without a word. */
export const ignored = (key: string, reason: string, advice: string): RuleProblem => ({
  key,
  reason,
  advice,
  kind: 'ignored'
})

/** Makes a problem of what only this suite knows. */
export const refused = (key: string | undefined, reason: string, advice: string): RuleProblem => ({
  key,
  reason,
  advice,
  kind: 'refused'
})

/** The problem of the rules of a model whose records are only embedded in others. */
export const unasked = (model: string): RuleProblem => ({
  key: undefined,
  reason: `no call asks the rules of ${model}, which is only embedded`,
  advice: 'the rules of the models that embed it decide',
  kind: 'unasked'
})
