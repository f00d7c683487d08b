import { isPlainObject } from '@modelwire/server'
import type { ModelType } from '../contract/model-type.ts'
import { indexKeys } from '../definition/list-settings.ts'
import type { TakenKey } from '../errors.ts'

/** A unique entry of a model's `indexes`. */
export interface UniqueIndex {
  /** Its key in `indexes`. */
  readonly name: string
  /** Names of properties, or paths below them, in the order of the index. */
  readonly properties: readonly string[]
  /** It covers the records that match a filter in the database's own language. */
  readonly isPartial: boolean
}

/** True for an entry of `indexes` with `unique: true`, `options: { unique: true }` or `kind: 'unique'`. */
export function isUniqueIndex({ options, kind, unique }: Readonly<Record<string, unknown>>): boolean {
  if (unique === true || (typeof kind === 'string' && /unique/i.test(kind))) return true
  return isPlainObject(options) && options['unique'] === true
}

/** The unique ones of a model's `indexes`. Records that lack one of the properties, or have null, never collide. */
export function uniqueIndexesOf(model: ModelType): readonly UniqueIndex[] {
  return Object.entries(model.definition.indexes ?? {}).flatMap(([name, written]) => {
    if (!isPlainObject(written) || !isUniqueIndex(written)) return []
    const properties = indexKeys(written).map(([key]) => propertyPath(model, key))
    const { options } = written
    const isPartial = isPlainObject(options) && options['partialFilterExpression'] !== undefined
    return properties.length === 0 ? [] : [{ name, properties, isPartial }]
  })
}

/**
 * What no two records may share, besides the id: unique properties, and unique indexes except partial ones, whose filter is in the
 * language of a database. Records that lack one of the values, or have null, never collide.
 */
export function uniqueKeysOf(model: ModelType): readonly TakenKey[] {
  const values = model.properties.filter(({ unique, id }) => unique && !id).map(({ name }) => ({ properties: [name] }))
  const indexes = uniqueIndexesOf(model).filter(({ isPartial }) => !isPartial)
  return [...values, ...indexes.map(({ name, properties }) => ({ index: name, properties }))]
}

/** Indexes name properties, or their columns or fields. */
function propertyPath({ byName, properties }: ModelType, key: string): string {
  const [name = key, ...below] = key.split('.')
  if (byName.has(name)) return key
  const stored = properties.find(({ definition }) =>
    Object.values(definition).some(
      (mapping) => isPlainObject(mapping) && [mapping['columnName'], mapping['fieldName']].includes(name)
    )
  )
  return [stored?.name ?? name, ...below].join('.')
}
