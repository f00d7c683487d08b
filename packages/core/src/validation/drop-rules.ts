import type { ModelType } from '../contract/model-type.ts'
import type { Rule } from '../rules/rule.ts'

const dropped = new WeakMap<ModelType, Set<Rule>>()

/** Removes the rules for which `test` holds from a model, and keeps them from being added again. */
export function dropRules(model: ModelType, test: (rule: Rule) => boolean): void {
  const gone = dropped.get(model) ?? new Set<Rule>()
  dropped.set(model, gone)
  for (const rule of model.rules.filter(test)) {
    gone.add(rule)
    model.rules.splice(model.rules.indexOf(rule), 1)
  }
}

/** True for a rule that was taken away from a model. */
export function isDropped(model: ModelType, rule: Rule): boolean {
  return dropped.get(model)?.has(rule) === true
}
