import type { ModelType } from '../contract/model-type.ts'
import type { Rule } from '../rules/rule.ts'

const dropped = new WeakMap<ModelType, Set<Rule>>()

/** Takes the rules for which `test` holds away from a model, whoever would add them again. */
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
