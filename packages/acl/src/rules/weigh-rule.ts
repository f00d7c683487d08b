import type { Call, Rule } from './rule.ts'

const principalWeights: Readonly<Record<string, number>> = { USER: 4, APP: 3, SCOPE: 3, ROLE: 2 }
const roleWeights: Readonly<Record<string, number>> = {
  $owner: 4,
  $related: 3,
  $authenticated: 2,
  $unauthenticated: 2,
  $everyone: 1
}
const customRole = 5

/** The kinds of principals that rules name, other than user models. */
export const principalTypes: readonly string[] = Object.keys(principalWeights)

const permissionWeights: Readonly<Record<string, number>> = { DENY: 3, AUDIT: 2, ALARM: 1 }
const exact = 3
const wildcard = 2
// The question is about calls of every type, the rule about one.
const unspecific = 1

function weighModel({ model }: Rule, call: Call): number | undefined {
  if (model === call.model) return exact
  return model === '*' ? wildcard : undefined
}

/** Names that a rule may call the method by. LB3: only stored rules know aliases; pinned by acl/aliases. */
function weighProperty({ properties, isStored }: Rule, { method, aliases }: Call): number | undefined {
  const names = isStored ? [method, ...aliases] : [method]
  if (properties.some((property) => names.includes(property))) return exact
  return properties.includes('*') ? wildcard : undefined
}

/** LB3: a rule for EXECUTE is about calls of every type, unless it is stored; pinned by acl/table-*. */
function weighType({ accessType, isStored }: Rule, call: Call): number | undefined {
  if (accessType === '*') return wildcard
  if (accessType === call.accessType) return exact
  if (call.accessType === '*') return unspecific
  if (isStored) return undefined
  if (accessType === 'EXECUTE') return exact
  return accessType === 'WRITE' && call.accessType === 'REPLICATE' ? exact : undefined
}

function weighRole({ principalType, principalId }: Rule): number {
  if (principalType !== 'ROLE') return 0
  return roleWeights[principalId ?? ''] ?? customRole
}

/**
 * The weight of a rule for a call; undefined if it does not apply. The rule with the highest weight decides, regardless of
 * the order of rules.
 * @see LoopBack 3: loopback, common/models/acl.js, getMatchingScore
 */
export function weighRule(rule: Rule, call: Call): number | undefined {
  const [model, property, type] = [weighModel(rule, call), weighProperty(rule, call), weighType(rule, call)]
  if (model === undefined || property === undefined || type === undefined) return undefined
  const what = (model * 4 + property) * 4 + type
  const who = (what * 4 + (principalWeights[rule.principalType ?? ''] ?? 1)) * 8 + weighRole(rule)
  return who * 4 + (permissionWeights[rule.permission ?? ''] ?? 0)
}
