import type { AccessRule } from '@modelwire/core'
import type { Finding } from './finding.ts'

/** What rules of a model may name. */
export interface RuleContext {
  /** Names of the model's methods, without `prototype.`. */
  readonly methods: ReadonlySet<string>
  /** The text of all scripts. */
  readonly scripts: string
  readonly isModel: (name: string) => boolean
}

const dynamicRoles = new Set(['$owner', '$authenticated', '$unauthenticated', '$everyone', '$related'])
const principalTypes = new Set(['USER', 'APP', 'APPLICATION', 'ROLE', 'SCOPE'])
const accessTypes = new Set(['READ', 'WRITE', 'EXECUTE', 'REPLICATE', '*'])
const permissions = new Set(['ALLOW', 'DENY', 'AUDIT', 'ALARM', 'DEFAULT'])

/** What is wrong with one access rule; keys are those of the rule. */
export function examineRule(rule: AccessRule, context: RuleContext): (Omit<Finding, 'file'> & { key: string })[] {
  return [
    ...examineWord(rule.permission, 'permission', permissions, 'the rule allows, as in LoopBack'),
    ...examineWord(rule.accessType, 'accessType', accessTypes, 'the rule is about no call'),
    ...examinePrincipal(rule, context),
    ...examineProperties(rule, context)
  ]
}

function examineWord(value: unknown, key: string, words: ReadonlySet<string>, so: string) {
  if (value === undefined || words.has(String(value))) return []
  const reason = `"${String(value)}" is none of ${[...words].join(', ')}: ${so}`
  return [{ effect: 'fails' as const, key, reason, advice: 'correct the word: capital letters count' }]
}

function examinePrincipal({ principalType, principalId }: AccessRule, { scripts, isModel }: RuleContext) {
  // Principals may be of a model of users of the application.
  if (principalType !== undefined && isModel(principalType)) return []
  if (principalType !== 'ROLE')
    return examineWord(principalType, 'principalType', principalTypes, 'the rule is about nobody')
  const role = String(principalId)
  const key = 'principalId'
  if (dynamicRoles.has(role) || isRegistered(scripts, role)) return []
  if (role.startsWith('$')) {
    const reason = `there is no role ${role}, and no script registers it: the rule is about nobody`
    return [{ effect: 'fails' as const, key, reason, advice: `use one of ${[...dynamicRoles].join(', ')}` }]
  }
  const reason = `no script registers or names the role ${role}: it holds for those whom the database gives it`
  return [{ effect: 'info' as const, key, reason, advice: 'make sure that the model Role has a record of this name' }]
}

/** A script registers the role, or makes its record. */
const isRegistered = (scripts: string, role: string): boolean =>
  scripts.includes(`'${role}'`) || scripts.includes(`"${role}"`)

function examineProperties({ property = '*' }: AccessRule, { methods, scripts }: RuleContext) {
  return [property].flat().flatMap((name, index) => {
    if (name === '*' || methods.has(name) || isDeclared(scripts, name)) return []
    const key = Array.isArray(property) ? `property.${index}` : 'property'
    const reason = `no method is named ${name}: the rule is about no call`
    return [{ effect: 'fails' as const, key, reason, advice: adviceOn(name, methods) }]
  })
}

const isDeclared = (scripts: string, name: string): boolean =>
  new RegExp(`remoteMethod\\(\\s*['"](?:prototype\\.)?${name.replace(/\W/g, '\\$&')}['"]`).test(scripts)

function adviceOn(name: string, methods: ReadonlySet<string>): string {
  const alike = [...methods].find((method) => method.toLowerCase() === name.replace(/^prototype\./, '').toLowerCase())
  return alike === undefined ? 'correct the name: modelwire routes lists the methods' : `write ${alike}`
}
