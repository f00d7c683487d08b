import type { ModelDefinition } from '@modelwire/core'

type Rules = NonNullable<ModelDefinition['acls']>
type Rule = Rules[number]

/** What a rule is about; it says the rest of it. */
const subject = ['property', 'accessType', 'principalType', 'principalId'] as const

const isAboutTheSame = (one: Rule, other: Rule): boolean => subject.every((key) => one[key] === other[key])

/**
 * Rules with those of a configuration: one about the same callers and methods stands in place of the model's, others are added.
 * @see LoopBack 3: loopback, lib/registry.js, addACL
 */
export function addRules(rules: Rules = [], configured: Rules = []): Rules {
  const all = [...rules]
  for (const rule of configured) {
    const known = all.findIndex((one) => isAboutTheSame(one, rule))
    if (known === -1) all.push(rule)
    else all[known] = rule
  }
  return all
}
