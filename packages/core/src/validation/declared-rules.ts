import { InvalidDefinition } from '../errors.ts'
import type { ResolvedDefinition } from '../definition/inherit-definition.ts'
import { isPlainObject } from '../values/clone-plain.ts'
import { makeRule, type RuleKind, type RuleOptions } from './rules.ts'
import type { Rule } from './rule.ts'

const kinds: ReadonlySet<unknown> = new Set<RuleKind>([
  'presence',
  'absence',
  'length',
  'numericality',
  'range',
  'inclusion',
  'exclusion',
  'format',
  'uniqueness'
])

/** Texts that the keyword `format` knows. Others are notes for readers, as JSON Schema has it. */
const formats: ReadonlyMap<unknown, RegExp> = new Map([
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['uri', /^[a-z][a-z\d+.-]*:\S+$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/i],
  ['time', /^\d\d:\d\d/],
  ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['hostname', /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i]
])

/** Blank values are the matter of `required` alone. */
const blanks = { allowBlank: true, allowNull: true } as const

type Keywords = Readonly<Record<string, unknown>>

const has = (keywords: Keywords, ...names: readonly string[]): boolean => names.some((name) => keywords[name] !== undefined)

/** One row per group of JSON Schema keywords: the rule that they make. */
const keywordRules: readonly ((property: string, keywords: Keywords) => Rule | undefined)[] = [
  (property, { minLength, maxLength, ...keywords }) =>
    minLength === undefined && maxLength === undefined && !has(keywords, 'minItems', 'maxItems')
      ? undefined
      : makeRule('length', property, { min: minLength ?? keywords['minItems'], max: maxLength ?? keywords['maxItems'], ...blanks }),
  (property, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) =>
    [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].every((bound) => bound === undefined)
      ? undefined
      : makeRule('range', property, { min: minimum, max: maximum, moreThan: exclusiveMinimum, lessThan: exclusiveMaximum, multipleOf, ...blanks }),
  (property, { pattern }) => (typeof pattern === 'string' ? makeRule('format', property, { with: new RegExp(pattern), ...blanks }) : undefined),
  (property, { format }) => {
    const expression = formats.get(format)
    return expression && makeRule('format', property, { with: expression, ...blanks })
  },
  (property, keywords) => (Array.isArray(keywords['enum']) ? makeRule('inclusion', property, { in: keywords['enum'], ...blanks }) : undefined)
]

function rulesOfKeywords(definition: ResolvedDefinition): Rule[] {
  return Object.entries(definition.properties).flatMap(([property, { schema }]) => {
    if (!isPlainObject(schema)) return []
    return keywordRules.map((make) => make(property, schema)).filter((rule) => rule !== undefined)
  })
}

/** `validations` as a list of rules with a `property`, or as rules by property. */
function writtenRules(definition: ResolvedDefinition): readonly (readonly [string, unknown])[] {
  const { validations } = definition
  if (validations === undefined || validations === null) return []
  if (Array.isArray(validations)) return validations.map((rule: unknown) => [isPlainObject(rule) ? String(rule['property']) : '', rule] as const)
  if (!isPlainObject(validations)) throw new InvalidDefinition('validations must be a list or an object', { model: definition.name, key: 'validations' })
  return Object.entries(validations).flatMap(([property, rules]) => [rules].flat().map((rule) => [property, rule] as const))
}

function ruleOf(model: string, property: string, written: unknown): Rule {
  const where = { model, key: `validations.${property}` }
  if (!isPlainObject(written) || !kinds.has(written['rule'])) throw new InvalidDefinition(`a validation needs a "rule", one of ${[...kinds].join(', ')}`, where)
  const { rule, property: _property, with: pattern, ...options } = written
  const settings: RuleOptions = { ...options, ...(pattern === undefined ? {} : { with: new RegExp(String(pattern)) }) }
  // The set holds nothing but kinds.
  return makeRule(rule as RuleKind, property, settings)
}

/**
 * The rules that a definition states as data: `validations` and, for TypeBox models, the keywords of their schemas.
 * @throws {InvalidDefinition} a rule is malformed
 */
export function declaredRules(definition: ResolvedDefinition): Rule[] {
  const written = writtenRules(definition).map(([property, rule]) => ruleOf(definition.name, property, rule))
  return [...rulesOfKeywords(definition), ...written]
}
