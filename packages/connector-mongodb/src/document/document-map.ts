import {
  type Comparison,
  type ModelType,
  type PropertyType,
  type Row,
  ValueRefused,
  type ValueType
} from '@modelwire/core/connector'
import { setOwn } from '@modelwire/server'
import type { Document } from 'mongodb'
import { collectionName, readMapping, fieldName, idField, isFieldName } from '../names/read-mapping.ts'
import { compileDecode, type Decode, decodeAny } from '../values/decode-value.ts'
import { compileEncode, type Encode, encodeAny } from '../values/encode-value.ts'
import type { IdCoding } from '../values/object-ids.ts'
import type { Query } from './query.ts'

/** The settings of the data source and the model for strings that look like ObjectIds. */
interface IdSettings {
  readonly strictObjectIDCoercion?: boolean | undefined
}

const textKinds: ReadonlySet<ValueType['kind'] | undefined> = new Set(['string', 'text', 'any', 'object', undefined])

const objectIdType = /objectid/i

const decimalType = /decimal128/i

/** True where the settings of a property declare exact decimal numbers. */
const isDecimal = ({ definition }: PropertyType): boolean => decimalType.test(readMapping(definition).dataType ?? '')

/** True where the settings of a property declare ObjectIds. */
const isDeclaredObjectId = ({ definition }: PropertyType): boolean =>
  objectIdType.test(readMapping(definition).dataType ?? '')

/** True where texts that look like ObjectIds stay texts. */
const isStrict = ({ definition }: ModelType, settings: IdSettings): boolean =>
  definition['strictObjectIDCoercion'] === true || settings.strictObjectIDCoercion === true

/** A property and the field that stores it. */
export interface Field {
  readonly property: PropertyType
  readonly name: string
  /** Neither the field nor the property has the name of a member of `Object.prototype`. */
  readonly isPlain: boolean
  readonly ids: IdCoding
  /** Strings that could be ObjectIds may also be stored as strings. */
  readonly alsoTexts: boolean
  readonly decimal: boolean
  readonly encode: Encode
  readonly decode: Decode
}

/** The settings of the data source about documents. */
export interface DocumentSettings extends IdSettings {
  readonly enableGeoIndexing?: boolean | undefined
  readonly disableDefaultSort?: boolean | undefined
  readonly allowExtendedOperators?: boolean | undefined
}

/** The documents of one model. */
export interface DocumentMap {
  readonly model: ModelType
  /** The name of the collection. */
  readonly collection: string
  /** The model's properties from which the fields were made. */
  readonly properties: readonly PropertyType[]
  readonly fields: readonly Field[]
  readonly byProperty: ReadonlyMap<string, Field>
  /** The names of all fields of declared properties. */
  readonly fieldNames: ReadonlySet<string>
  readonly id: Field | undefined
  /** How strings in undeclared properties are stored. */
  readonly undeclaredIds: IdCoding
  readonly settings: DocumentSettings
  /** The collection has a collation that may treat different strings as equal. */
  readonly isWide: boolean
  /** Cached results for frozen comparisons: core passes those of the model's rules repeatedly. */
  readonly compiledTests: WeakMap<Comparison, Query>
}

/** Maps a model to documents. @throws {InvalidDefinition} its settings for MongoDB are malformed */
export function createDocumentMap(model: ModelType, settings: DocumentSettings, isWide = false): DocumentMap {
  const fields = model.properties.map((property) => createField(model, property, settings))
  return {
    model,
    collection: collectionName(model),
    properties: model.properties,
    fields,
    byProperty: new Map(fields.map((field) => [field.property.name, field])),
    fieldNames: new Set(fields.map(({ name }) => name)),
    id: fields.find(({ property }) => property === model.idProperty),
    undeclaredIds: isStrict(model, settings) ? 'never' : 'lookalike',
    settings,
    isWide,
    compiledTests: new WeakMap()
  }
}

function createField(model: ModelType, property: PropertyType, settings: DocumentSettings): Field {
  const { registry } = model
  const findModel = (name: string): ModelType | undefined => registry.find(name)
  const [ids, decimal] = [idCoding(model, property, settings), isDecimal(property)]
  const encode = compileEncode(property.type, {
    ids,
    decimal,
    innerIds: (inner) => (inner.id ? 'lookalike' : idCoding(model, inner, settings)),
    geoJson: settings.enableGeoIndexing === true,
    findModel
  })
  const decode = compileDecode(property.type, findModel)
  const name = fieldName(property, property === model.idProperty)
  const isPlain = !(name in Object.prototype) && !(property.name in Object.prototype)
  // What the database makes is never a text, nor what the settings declare as another type.
  const alsoTexts = !(property.id && property.generated) && !isDeclaredObjectId(property)
  return { property, name, isPlain, ids, alsoTexts, decimal, encode, decode }
}

/** Decodes a document into a row. Undeclared fields follow the declared properties, unless the model is strict. */
export function decodeRow(map: DocumentMap, document: Document): Row {
  const row: Row = {}
  let declared = 0
  for (const { property, name, isPlain, decode } of map.fields) {
    const value: unknown = isPlain || Object.hasOwn(document, name) ? document[name] : undefined
    if (value !== undefined) declared++
    const decoded = value === undefined || value === null ? value : decode(value)
    if (isPlain) row[property.name] = decoded
    else setOwn(row, property.name, decoded)
  }
  if (!map.model.strict) addUndeclared(map, document, row, declared)
  return row
}

function addUndeclared({ fieldNames, byProperty }: DocumentMap, document: Document, row: Row, declared: number): void {
  const names = Object.keys(document)
  if (names.length === declared) return
  for (const name of names)
    if (name !== idField && !fieldNames.has(name) && !byProperty.has(name)) setOwn(row, name, decodeAny(document[name]))
}

/**
 * Encodes the fields of a row, or of a patch: undefined values are omitted.
 * @throws {ValueRefused} a value, or an undeclared name, cannot be stored
 */
export function encodeRow(map: DocumentMap, row: Row): Document {
  const document: Document = {}
  for (const [name, value] of Object.entries(row)) {
    if (value === undefined) continue
    const field = map.byProperty.get(name)
    if (field !== undefined && !isFieldName(field.name) && value === null) continue
    if (field === undefined || !isFieldName(field.name))
      setOwn(document, undeclaredField(map, name), encodeAny(value, map.undeclaredIds))
    else setOwn(document, field.name, field.encode(value))
  }
  return document
}

function undeclaredField({ fieldNames, model }: DocumentMap, name: string): string {
  if (isFieldName(name) && name !== idField && !fieldNames.has(name)) return name
  throw new ValueRefused(
    `${model.name} cannot store the property ${JSON.stringify(name)}: a document cannot have a field of this name`
  )
}

/**
 * How texts of a property of a model are stored: ids that the database makes, keys that refer to them and properties
 * that are declared so hold ObjectIds; others do where their text is that of one, unless that is switched off.
 * @see loopback-connector-mongodb, lib/mongodb.js: coerceId, coerceToObjectId
 */
function idCoding(model: ModelType, property: PropertyType, settings: IdSettings): IdCoding {
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
