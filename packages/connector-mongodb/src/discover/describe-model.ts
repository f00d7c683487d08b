import type { ModelDefinition } from '@modelwire/core'
import type { DiscoverOptions } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { Document } from 'mongodb'
import { idField } from '../names/read-mapping.ts'
import type { CollectionDescription, Reference } from './read-collection.ts'
import type { SampledField } from './sample-fields.ts'

/** Derives a name from one in the database. */
export type NameOf = NonNullable<DiscoverOptions['nameOf']>

/** Returns the model name of a collection. */
export type ModelOf = (collection: string) => string

/** The conventional name of a model is that of its collection, capitalized, as one word; fields and relations keep theirs. */
export function conventionalName(kind: 'model' | 'property' | 'relation', name: string): string {
  if (kind !== 'model') return name
  const words = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Collection'
}

/** The definition of a model for a collection: from a sample of its documents, and its indexes. */
export function describeModel(description: CollectionDescription, modelOf: ModelOf, nameOf: NameOf): ModelDefinition {
  const { name, fields, references } = description
  const model = modelOf(name)
  const relations = describeRelations(description, references, modelOf)
  const indexes = severalFields(description, nameOf)
  return {
    name: model,
    ...(model !== name && { mongodb: { collection: name } }),
    idInjection: false,
    properties: Object.fromEntries(fields.map((field) => describeField(description, field, nameOf))),
    ...(Object.keys(relations).length > 0 && { relations }),
    ...(Object.keys(indexes).length > 0 && { indexes })
  }
}

type Described = readonly [name: string, property: { readonly type: unknown } & Record<string, unknown>]

function describeField({ indexes }: CollectionDescription, field: SampledField, nameOf: NameOf): Described {
  const { name, type, kinds, isReference, isDecimal } = field
  if (name === idField) return ['id', idOf(kinds, type)]
  const property = nameOf('property', name)
  const dataType = (isReference && 'ObjectID') || (isDecimal && 'decimal128')
  const mapping = { ...(property !== name && { fieldName: name }), ...(dataType !== false && { dataType }) }
  const own = indexes.find(({ key }) => isOf(key, name))
  return [
    property,
    {
      type,
      ...(own !== undefined && indexed(own)),
      ...(Object.keys(mapping).length > 0 && { mongodb: mapping })
    }
  ]
}

/** Ids of ObjectIds are made by the database. */
const idOf = (kinds: string, type: unknown): { readonly type: unknown } & Record<string, unknown> =>
  kinds === 'objectId' ? { type: 'string', id: true, generated: true } : { type, id: true }

const isOf = (key: unknown, name: string): boolean => Object.keys(Object(key)).join() === name

function indexed({ key, unique, expireAfterSeconds }: Document): Record<string, unknown> {
  const [kind]: readonly unknown[] = Object.values(Object(key))
  if (unique === true) return { unique: true }
  if (typeof kind === 'string') return { index: { mongodb: { kind } } }
  return { index: typeof expireAfterSeconds === 'number' ? { expireAfterSeconds } : true }
}

function severalFields({ indexes }: CollectionDescription, nameOf: NameOf): Record<string, unknown> {
  const several = indexes.filter(({ key }) => isPlainObject(key) && Object.keys(key).length > 1 && !('_fts' in key))
  return Object.fromEntries(
    several.map(({ name, key, unique }) => {
      const keys = Object.fromEntries(
        Object.entries(Object(key)).map(([field, order]) => [nameOf('property', field), order])
      )
      return [String(name), { keys, ...(unique === true && { options: { unique: true } }) }]
    })
  )
}

function describeRelations(
  { fields }: CollectionDescription,
  references: readonly Reference[],
  modelOf: ModelOf
): Record<string, { type: string } & Record<string, unknown>> {
  const taken = new Set(fields.map(({ name }) => name))
  const relations: Record<string, { type: string } & Record<string, unknown>> = {}
  for (const { field, collection, isList } of references) {
    const plain = field.replace(/_?ids?$/i, '')
    const name = [plain, `${field}Rel`].find((each) => each !== '' && !taken.has(each)) ?? `${field}Relation`
    taken.add(name)
    relations[name] = { type: isList ? 'referencesMany' : 'belongsTo', model: modelOf(collection), foreignKey: field }
  }
  return relations
}
