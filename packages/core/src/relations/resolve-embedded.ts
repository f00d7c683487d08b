import { allInOrder, andThen, type Awaitable, isPlainObject } from '@modelwire/server'
import { findProblems } from '../validation/validate-instance.ts'
import { BareModel, stateOf, typeOf, type ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { plainCopy } from '../model/plain-copy.ts'
import { toInstance } from '../repository/records/records.ts'
import type { Rule } from '../rules/rule.ts'
import { keyText } from '../values/same-key.ts'
import type { RelationKeys } from '../contract/relation.ts'
import { camelName, type Draft, findTarget, keyIn } from './draft.ts'

function propertyName({ name, definition }: Draft, defaultName: string): string {
  const wanted = typeof definition['property'] === 'string' ? definition['property'] : defaultName
  return wanted === name ? `_${wanted}` : wanted
}

function propertyOptions({ settings }: Draft): Record<string, unknown> {
  const { property } = settings.options
  return isPlainObject(property) ? property : {}
}

/** What was built for the record is an instance until the record is stored. */
const plainOf = (item: unknown): unknown =>
  item instanceof BareModel ? plainCopy(typeOf(item), item, { hidesHidden: false }) : item

/** An embedded record as an instance, whose values were converted when the parent got them. */
function embeddedInstance(model: ModelType, item: unknown): ModelInstance | undefined {
  const row = plainOf(item)
  return isPlainObject(row) ? toInstance(model, row) : undefined
}

/** An embedded record whose values could not be converted, as they were sent. */
function unconvertedInstance(model: ModelType, item: unknown): ModelInstance | undefined {
  const row = plainOf(item)
  return isPlainObject(row) ? new model.modelClass(row) : undefined
}

function isValid(
  model: ModelType,
  instance: ModelInstance | undefined,
  options: Record<string, unknown>
): Awaitable<boolean> {
  return instance !== undefined && andThen(findProblems(model, instance, false, options), ({ length }) => length === 0)
}

/** Answers at once where all do. */
function allAtOnce(values: readonly Awaitable<boolean>[]): Awaitable<readonly boolean[]> {
  const ready = values.filter((value): value is boolean => typeof value === 'boolean')
  return ready.length === values.length ? ready : allInOrder(values)
}

/** Embedded records keep the rules of their model. `name` is what the problem is reported under. */
function validRule(name: string, property: string, target: ModelType): Rule {
  return {
    property: name,
    kind: 'embedded',
    options: { property },
    sync: false,
    check: ({ record, options }) => {
      const value: unknown = record[property]
      if (value === null || value === undefined) return []
      const items: readonly unknown[] = Array.isArray(value) ? value : [value]
      const unusable = record instanceof BareModel ? stateOf(record).unusable?.get(property) : undefined
      // Records with an invalid date are kept as they were sent.
      const date = unusable?.code === 'date' ? unusable : undefined
      const makeInstance = date === undefined ? embeddedInstance : unconvertedInstance
      const valid = items.map((item) => isValid(target, makeInstance(target, item), options))
      const message = date?.message ?? `holds an invalid ${target.name}`
      const problem = { property: name, code: 'invalid', message, within: property }
      // LB3: one problem for each invalid item; lib/relation-definition.js, EmbedsMany.
      return andThen(allAtOnce(valid), (all) => all.filter((each) => !each).map(() => problem))
    }
  }
}

/** True if the data source of embedded records does not generate ids for them: it only counts its own records. */
export const makesNoEmbeddedIds = ({ registry, dataSource }: ModelType): boolean =>
  registry.rules.makesNoEmbeddedIds &&
  dataSource !== undefined &&
  dataSource.connector.capabilities.generatedIdType !== 'string'

const isBlankId = (id: unknown): boolean => id === undefined || id === null

/** The ids of embedded records, as the record has them. */
function idsWithin(record: Readonly<Record<string, unknown>>, property: string, id: string): readonly unknown[] {
  const list: unknown = record[property]
  return Array.isArray(list)
    ? list
        .map(plainOf)
        .filter(isPlainObject)
        .map((item) => item[id])
    : []
}

/** LB3: two records without an id have the same one; lib/relation-definition.js, EmbedsMany. */
function uniqueRule(property: string, id: string, { registry }: ModelType): Rule {
  return {
    property,
    kind: 'embedded',
    options: { unique: id },
    sync: true,
    check: ({ record }) => {
      const ids = idsWithin(record, property, id)
      const compared = registry.rules.takesNullForId ? ids : ids.filter((each) => !isBlankId(each))
      if (new Set(compared.map(keyText)).size === compared.length) return []
      return [{ property, code: 'uniqueness', message: `contains duplicate ${id}` }]
    }
  }
}

/** LB3: one problem for each; lib/relation-definition.js, EmbedsMany. */
function identifiedRule(property: string, id: string, target: ModelType): Rule {
  return {
    property,
    kind: 'embedded',
    options: { identified: id },
    sync: true,
    check: ({ record }) => {
      if (!makesNoEmbeddedIds(target)) return []
      const message = `holds a ${target.name} whose ${id} is blank`
      return idsWithin(record, property, id)
        .filter(isBlankId)
        .map(() => ({ property, code: 'invalid', message }))
    }
  }
}

/** The default of an embedded record: an object of values, or an empty record. */
function defaultOf(written: unknown): { default?: () => unknown } {
  if (written === true) return { default: () => ({}) }
  return isPlainObject(written) ? { default: () => ({ ...written }) } : {}
}

/** A relation to one record that is embedded in the declaring one. */
export function resolveEmbedsOne(draft: Draft): RelationKeys {
  const { name, from, definition, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.name))
  const property = { nullable: true, ...propertyOptions(draft), type: to.name, ...defaultOf(definition['default']) }
  from.registry.defineProperty(from, keyFrom, property)
  if (settings.options['validate'] !== false) from.rules.push(validRule(name, keyFrom, to))
  return { to, keyFrom, keyTo: keyIn(draft, to) }
}

/** A relation to a list of records that are embedded in the declaring one. */
export function resolveEmbedsMany(draft: Draft): RelationKeys {
  const { from, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.plural))
  const isAbsent = settings.options['omitDefaultEmbeddedItem'] === true
  const property = {
    nullable: true,
    ...propertyOptions(draft),
    type: [to.name],
    ...(isAbsent ? {} : { default: () => [] })
  }
  from.registry.defineProperty(from, keyFrom, property)
  const keyTo = keyIn(draft, to)
  from.rules.push(identifiedRule(keyFrom, keyTo, to), uniqueRule(keyFrom, keyTo, to))
  if (settings.options['validate'] !== false) from.rules.push(validRule(keyFrom, keyFrom, to))
  return { to, keyFrom, keyTo }
}
