import { Kind, type TSchema } from '@sinclair/typebox'
import { InvalidDefinition } from '../definition/errors.ts'
import type { ResolvedDefinition } from '../definition/inherit-definition.ts'
import { isAlwaysThere, type PropertyType } from '../types/property-type.ts'
import { isPlainObject, describeProblem } from '@modelwire/server'
import { formatPatterns, schemaCheck } from './check-schema.ts'
import { makeRule, type RuleKind, type RuleOptions } from './rules.ts'
import type { Rule } from './rule.ts'
import type { ValueError } from '@sinclair/typebox/errors'
import { toTypeBox } from '../definition/to-typebox.ts'

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

/** The location of a definition, for errors. */
interface Place {
  model: string
  file?: string
}

type Keywords = Readonly<Record<string, unknown>>
type KeywordRule = (property: string, keywords: Keywords) => Rule | undefined

const asSchema = { asSchema: true } as const

/** One row per group of JSON Schema keywords: the rule that they make. */
const keywordRules: readonly KeywordRule[] = [
  (property, { minLength, maxLength, minItems, maxItems }) => {
    const [min, max] = [minLength ?? minItems, maxLength ?? maxItems]
    return isAnySet(min, max) ? makeRule('length', property, { min, max, ...asSchema }) : undefined
  },
  (property, { minimum: min, maximum: max, exclusiveMinimum: moreThan, exclusiveMaximum: lessThan, multipleOf }) => {
    if (!isAnySet(min, max, moreThan, lessThan, multipleOf)) return undefined
    return makeRule('range', property, { min, max, moreThan, lessThan, multipleOf, ...asSchema })
  },
  (property, { pattern }) =>
    typeof pattern === 'string' ? makeRule('format', property, { with: new RegExp(pattern), ...asSchema }) : undefined,
  (property, { format }) => {
    const expression = formatPatterns.get(format)
    return expression && makeRule('format', property, { with: expression, ...asSchema })
  },
  (property, { enum: values }) =>
    Array.isArray(values) ? makeRule('inclusion', property, { in: values, ...asSchema }) : undefined,
  // A schema by which `defineModel` describes the inside of a value.
  (property, { shape }) => (shape === undefined ? undefined : makeShapeRule(property, shape as TSchema))
]

const isAnySet = (...values: readonly unknown[]): boolean => values.some((value) => value !== undefined)

function rulesOfKeywords(definition: ResolvedDefinition, place: Place): Rule[] {
  return Object.entries(definition.properties).flatMap(([property, { schema }]) => {
    if (!isPlainObject(schema)) return []
    const where = { ...place, key: `properties.${property}` }
    return withDefinitionPlace(where, () =>
      keywordRules.map((make) => make(property, schema)).filter((rule) => rule !== undefined)
    )
  })
}

/** @throws {InvalidDefinition} `make` fails: an expression is none, or an option is missing */
function withDefinitionPlace<T>(where: Place & { key: string }, make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new InvalidDefinition('a validation is malformed', where, { cause })
  }
}

/** `validations` as a list of rules with a `property`, or as rules by property. */
function writtenRules({ validations }: ResolvedDefinition, place: Place): readonly (readonly [string, unknown])[] {
  if (validations === undefined || validations === null) return []
  if (Array.isArray(validations)) {
    return validations.map((rule: unknown) => [isPlainObject(rule) ? String(rule['property']) : '', rule] as const)
  }
  if (isPlainObject(validations)) {
    return Object.entries(validations).flatMap(([property, rules]) =>
      [rules].flat().map((rule) => [property, rule] as const)
    )
  }
  throw new InvalidDefinition('validations must be a list or an object', { ...place, key: 'validations' })
}

function ruleOf(property: string, written: unknown, place: Place): Rule {
  const where = { ...place, key: `validations.${property}` }
  if (!isPlainObject(written) || !kinds.has(written['rule'])) {
    throw new InvalidDefinition(`a validation requires a "rule", one of ${[...kinds].join(', ')}`, where)
  }
  const { rule, property: _property, with: pattern, ...options } = written
  return withDefinitionPlace(where, () => {
    const settings: RuleOptions = pattern === undefined ? options : { ...options, with: new RegExp(String(pattern)) }
    // The set holds nothing but kinds.
    return makeRule(rule as RuleKind, property, settings)
  })
}

/**
 * The rule of a property that is not nullable. `Type.String()` allows the empty string and `Type.Array()` the empty list;
 * LoopBack's `required` does not. What the database fills may be absent.
 */
export function ruleOfPresence(property: PropertyType): Rule {
  const { name, required, definition } = property
  const isLoose = required && definition['schema'] === undefined
  const options = { asSchema: true, onlyIfWritten: !required, mayBeAbsent: !required && !isAlwaysThere(property) }
  return { ...makeRule('presence', name, isLoose ? {} : options), ofProperty: true }
}

/**
 * The rules that a definition declares as data: `validations` and, for TypeBox models, the keywords of their schemas.
 * @param file where the definition comes from
 * @throws {InvalidDefinition} a rule is malformed
 */
export function declaredRules(definition: ResolvedDefinition, file?: string): Rule[] {
  const place: Place = file === undefined ? { model: definition.name } : { model: definition.name, file }
  const written = writtenRules(definition, place).map(([property, rule]) => ruleOf(property, rule, place))
  return [...rulesOfKeywords(definition, place), ...written]
}

/** By their kind in TypeBox, which may be one of an application, or else by their type. */
const plainItems: ReadonlyMap<string, (item: unknown) => boolean> = new Map([
  ['string', (item) => typeof item === 'string'],
  ['number', Number.isFinite],
  ['integer', Number.isInteger],
  ['boolean', (item) => typeof item === 'boolean']
])

const hasOnly = (schema: Keywords, ...keywords: readonly string[]): boolean =>
  Object.keys(schema).every((keyword) => keywords.includes(keyword))

/** The test of the items of a list, if its schema demands nothing but their plain type: most lists need no other check. */
function testOfItems(schema: TSchema): ((item: unknown) => boolean) | undefined {
  const items: unknown = schema['items']
  if (
    (schema[Kind] ?? 'Array') !== 'Array' ||
    !hasOnly(schema, 'type', 'items') ||
    !isPlainObject(items) ||
    !hasOnly(items, 'type')
  )
    return undefined
  const kind: unknown = Reflect.get(items, Kind) ?? items['type']
  return typeof kind === 'string' ? plainItems.get(kind.toLowerCase()) : undefined
}

/** Holes, which `every` passes over, are undefined. */
const isListOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && Array.from<unknown>(value).every(test)

/**
 * Makes a rule that looks into nested objects, lists and unions: what is inside must match the schema. The schema is
 * compiled when the first value is looked at.
 */
function makeShapeRule(property: string, schema: TSchema): Rule {
  const test = testOfItems(schema)
  let problemOf: ReturnType<typeof schemaCheck> | undefined
  return {
    property,
    kind: 'shape',
    options: { schema, asSchema: true },
    sync: true,
    check: ({ record }) => {
      const value = record[property]
      if (value === null || value === undefined || (test && isListOf(value, test))) return []
      problemOf ??= schemaCheck(toTypeBox(schema))
      const problem = problemOf(value)
      return problem === undefined ? [] : [{ property, code: 'shape', message: describeShape(problem) }]
    }
  }
}

function describeShape(problem: ValueError): string {
  const { path, text } = describeProblem(problem)
  return `has a wrong value${path && ` at ${path}`}: ${text}`
}
