/** A problem with one access rule. */
export interface RuleProblem {
  /** The key of the rule that is wrong: `permission`, `property.1`; undefined for the rule as a whole. */
  readonly key: string | undefined
  readonly reason: string
  /** What to write instead. */
  readonly advice: string
  /**
   * `ignored`: LoopBack starts with such a rule, but never applies it or applies it differently than written. `unstored`:
   * no record of the model Role has the name. `refused`: the problem only exists in Modelwire. `unasked`: the rule is never
   * evaluated, as in LoopBack.
   */
  readonly kind: 'ignored' | 'unstored' | 'refused' | 'unasked'
}

/** Makes a problem for a key that LoopBack ignores silently. */
export const ignored = (key: string, reason: string, advice: string): RuleProblem => ({
  key,
  reason,
  advice,
  kind: 'ignored'
})

/** Makes a problem with a feature that only Modelwire has. */
export const refused = (key: string | undefined, reason: string, advice: string): RuleProblem => ({
  key,
  reason,
  advice,
  kind: 'refused'
})

/** The problem of rules on a model whose records are only embedded in others. */
export const unasked = (model: string): RuleProblem => ({
  key: undefined,
  reason: `the rules of ${model} are never checked: it is only embedded`,
  advice: 'the rules of the models that embed it decide',
  kind: 'unasked'
})
