import { findProblems, isPlainObject, type Model, type ModelType, repository, type Rule } from '@modelwire/core'
import { keyText } from '../records/same-key.ts'
import type { Relation } from '../relation.ts'
import { camelName } from './camel-name.ts'
import type { Draft } from './draft.ts'
import { findTarget } from './find-target.ts'
import { idNameOf } from './id-name.ts'

function propertyName({ name, definition }: Draft, usual: string): string {
  const wanted = typeof definition['property'] === 'string' ? definition['property'] : usual
  return wanted === name ? `_${wanted}` : wanted
}

function propertyOptions({ settings }: Draft): Record<string, unknown> {
  const { property } = settings.options
  return isPlainObject(property) ? property : {}
}

/** An embedded record as an instance, whose values were converted when the parent got them. */
function embeddedInstance(model: ModelType, item: unknown): Model | undefined {
  return isPlainObject(item) ? repository.toInstance(model, item) : undefined
}

async function isValid(model: ModelType, item: unknown, options: Record<string, unknown>): Promise<boolean> {
  const instance = embeddedInstance(model, item)
  return instance !== undefined && (await findProblems(model, instance, false, options)).length === 0
}

/** Embedded records keep the rules of their model. `name` is what the problem is reported under. */
function validRule(name: string, property: string, target: ModelType): Rule {
  return {
    property: name,
    kind: 'embedded',
    options: { property },
    sync: false,
    check: async ({ record, options }) => {
      const value: unknown = record[property]
      if (value === null || value === undefined) return []
      const items: readonly unknown[] = Array.isArray(value) ? value : [value]
      const valid = await Promise.all(items.map((item) => isValid(target, item, options)))
      return valid.every(Boolean)
        ? []
        : [{ property: name, code: 'invalid', message: `holds an invalid ${target.name}` }]
    }
  }
}

function uniqueRule(property: string, id: string): Rule {
  return {
    property,
    kind: 'embedded',
    options: { unique: id },
    sync: true,
    check: ({ record }) => {
      const list: unknown = record[property]
      const ids = (Array.isArray(list) ? list : []).map((item) => (isPlainObject(item) ? keyText(item[id]) : undefined))
      const known = ids.filter((each) => each !== undefined)
      if (new Set(known).size === known.length) return []
      return [{ property, code: 'uniqueness', message: `contains duplicate ${id}` }]
    }
  }
}

/** The default of an embedded record: an object of values, or an empty record. */
function defaultOf(written: unknown): { default?: () => unknown } {
  if (written === true) return { default: () => ({}) }
  return isPlainObject(written) ? { default: () => ({ ...written }) } : {}
}

/** A relation to one record that is a part of the declaring one. */
export function resolveEmbedsOne(draft: Draft): Relation {
  const { name, kind, from, definition, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.name))
  const property = { ...propertyOptions(draft), type: to.name, ...defaultOf(definition['default']) }
  from.registry.defineProperty(from.name, keyFrom, property)
  if (settings.options['validate'] !== false) from.rules.push(validRule(name, keyFrom, to))
  return { name, kind, from, to, keyFrom, keyTo: idNameOf(to), settings }
}

/** A relation to a list of records that are parts of the declaring one. */
export function resolveEmbedsMany(draft: Draft): Relation {
  const { name, kind, from, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.plural))
  const isAbsent = settings.options['omitDefaultEmbeddedItem'] === true
  const property = { ...propertyOptions(draft), type: [to.name], ...(isAbsent ? {} : { default: () => [] }) }
  from.registry.defineProperty(from.name, keyFrom, property)
  const keyTo = idNameOf(to)
  from.rules.push(uniqueRule(keyFrom, keyTo))
  if (settings.options['validate'] !== false) from.rules.push(validRule(keyFrom, keyFrom, to))
  return { name, kind, from, to, keyFrom, keyTo, settings }
}
