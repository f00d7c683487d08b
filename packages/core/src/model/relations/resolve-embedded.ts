import { findProblems } from '../../validation/validate-instance.ts'
import { isPlainObject } from '../../values/clone-plain.ts'
import type { Model } from '../model.ts'
import type { ModelType } from '../model-type.ts'
import { toInstance } from '../../repository/to-instance.ts'
import type { Rule } from '../../validation/rule.ts'
import { keyText } from '../../values/same-key.ts'
import type { RelationKeys } from './resolved-relation.ts'
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
  return isPlainObject(item) ? toInstance(model, item) : undefined
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
      // LB3: one problem for each invalid item; lib/relation-definition.js, EmbedsMany.
      return valid
        .filter((each) => !each)
        .map(() => ({ property: name, code: 'invalid', message: `holds an invalid ${target.name}` }))
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

/** True where the data source of embedded records makes no ids for them: it counts its own records alone. */
export const makesNoEmbeddedIds = ({ registry, dataSource }: ModelType): boolean =>
  registry.compat && dataSource !== undefined && dataSource.connector.capabilities.generatedIdType !== 'string'

/** LB3: lib/relation-definition.js, EmbedsMany. */
function identifiedRule(property: string, id: string, target: ModelType): Rule {
  return {
    property,
    kind: 'embedded',
    options: { identified: id },
    sync: true,
    check: ({ record }) => {
      const list: unknown = record[property]
      const isBlank = (item: unknown): boolean => isPlainObject(item) && (item[id] === undefined || item[id] === null)
      if (!makesNoEmbeddedIds(target) || !Array.isArray(list) || !list.some(isBlank)) return []
      return [{ property, code: 'invalid', message: `holds a ${target.name} whose ${id} is blank` }]
    }
  }
}

/** The default of an embedded record: an object of values, or an empty record. */
function defaultOf(written: unknown): { default?: () => unknown } {
  if (written === true) return { default: () => ({}) }
  return isPlainObject(written) ? { default: () => ({ ...written }) } : {}
}

/** A relation to one record that is a part of the declaring one. */
export function resolveEmbedsOne(draft: Draft): RelationKeys {
  const { name, from, definition, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.name))
  const property = { ...propertyOptions(draft), type: to.name, ...defaultOf(definition['default']) }
  from.registry.defineProperty(from.name, keyFrom, property)
  if (settings.options['validate'] !== false) from.rules.push(validRule(name, keyFrom, to))
  return { to, keyFrom, keyTo: idNameOf(to) }
}

/** A relation to a list of records that are parts of the declaring one. */
export function resolveEmbedsMany(draft: Draft): RelationKeys {
  const { from, settings } = draft
  const to = findTarget(draft)
  const keyFrom = propertyName(draft, camelName(to.plural))
  const isAbsent = settings.options['omitDefaultEmbeddedItem'] === true
  const property = { ...propertyOptions(draft), type: [to.name], ...(isAbsent ? {} : { default: () => [] }) }
  from.registry.defineProperty(from.name, keyFrom, property)
  const keyTo = idNameOf(to)
  from.rules.push(uniqueRule(keyFrom, keyTo), identifiedRule(keyFrom, keyTo, to))
  if (settings.options['validate'] !== false) from.rules.push(validRule(keyFrom, keyFrom, to))
  return { to, keyFrom, keyTo }
}
