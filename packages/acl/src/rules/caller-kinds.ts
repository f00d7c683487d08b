import type { Rule } from './rule.ts'

/** The principal of a rule: `$authenticated`, `editor` or `USER 7`. */
export const principalText = ({ principalType, principalId }: Rule): string =>
  principalType === 'ROLE' ? String(principalId) : `${principalType} ${principalId}`

/** Roles that a caller of a kind is in besides the one that names the kind. */
const roleKinds: Readonly<Record<string, readonly string[]>> = {
  $unauthenticated: ['$everyone'],
  $authenticated: ['$everyone'],
  $owner: ['$authenticated', '$everyone']
}

const everybody = ['$unauthenticated', '$authenticated', '$owner']

const authenticatedRoles = ['$authenticated', '$everyone']

/** The rule that decides for a kind of caller. */
export function decidingRule(caller: string, rules: readonly Rule[]): Rule | undefined {
  const names = [caller, ...(roleKinds[caller] ?? authenticatedRoles)]
  return rules.find((each) => names.includes(principalText(each)))
}

/** The kinds of callers that rules distinguish. */
export function callerKinds(rules: readonly Rule[]): readonly string[] {
  const named = rules.map(principalText).filter((name) => name !== '$everyone')
  return [...new Set([...everybody, ...named])]
}
