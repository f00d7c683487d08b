import type { ModelType, PropertyType, ValueType } from '@modelwire/core/connector'
import { readMapping } from '../names/read-mapping.ts'
import type { IdCoding } from '../values/object-ids.ts'

/** The settings of the data source and the model for texts that look like ObjectIds. */
export interface IdSettings {
  readonly strictObjectIDCoercion?: boolean | undefined
}

const textKinds: ReadonlySet<ValueType['kind'] | undefined> = new Set(['string', 'text', 'any', 'object', undefined])
const objectIdType = /objectid/i
const decimalType = /decimal128/i

/** True where the settings of a property declare exact decimal numbers. */
export const isDecimal = ({ definition }: PropertyType): boolean =>
  decimalType.test(readMapping(definition).dataType ?? '')

/** True where the settings of a property declare ObjectIds. */
export const isDeclaredObjectId = ({ definition }: PropertyType): boolean =>
  objectIdType.test(readMapping(definition).dataType ?? '')

/** True where texts that look like ObjectIds stay texts. */
export const isStrict = ({ definition }: ModelType, settings: IdSettings): boolean =>
  definition['strictObjectIDCoercion'] === true || settings.strictObjectIDCoercion === true

/**
 * How texts of a property of a model are stored: ids that the database makes, keys that refer to them and properties
 * that are declared so hold ObjectIds; others do where their text is that of one, unless that is switched off.
 * @see loopback-connector-mongodb, lib/mongodb.js: coerceId, coerceToObjectId
 */
export function idCoding(model: ModelType, property: PropertyType, settings: IdSettings): IdCoding {
  const { type, id, generated, unique } = property
  const kind = type.kind === 'array' ? type.items?.kind : type.kind
  if (!textKinds.has(kind)) return 'never'
  if (isDeclaredObjectId(property) || refersToObjectIds(model, property, settings)) return 'always'
  if (id && generated) return 'always'
  if (isStrict(model, settings)) return 'never'
  if (id) return 'always'
  // A unique index looks at values of one type.
  return unique ? 'never' : 'lookalike'
}

/** A key has the form of what it refers to, if the other model's ids are made by a database of this kind. */
function refersToObjectIds({ registry }: ModelType, { definition }: PropertyType, settings: IdSettings): boolean {
  const { refersTo } = definition
  const target = refersTo && registry.find(refersTo.model)
  const key = target?.byName.get(refersTo?.property ?? '')
  if (target === undefined || key === undefined || !key.id) return false
  return target.dataSource?.connector.name === 'mongodb' && idCoding(target, key, settings) === 'always'
}
