import {
  type Comparison,
  type ModelType,
  type PropertyType,
  type Row,
  setOwn,
  ValueRefused
} from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import { collectionName } from '../names/collection-name.ts'
import { fieldName, idField, isFieldName } from '../names/field-name.ts'
import { compileDecode, type Decode, decodeAny } from '../values/decode-value.ts'
import { compileEncode, type Encode, encodeAny } from '../values/encode-value.ts'
import type { IdCoding } from '../values/object-ids.ts'
import type { Query } from '../where/query.ts'
import { idCoding, type IdSettings, isDecimal, isStrict, isDeclaredObjectId } from './id-coding.ts'

/** A property and the field that holds it. */
export interface Field {
  readonly property: PropertyType
  readonly name: string
  /** No object has the name of the field, or of the property, from its prototype. */
  readonly isPlain: boolean
  readonly ids: IdCoding
  /** Texts may be stored as such, too, where they could be ObjectIds. */
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
  /** The model's properties that the fields were made from. */
  readonly properties: readonly PropertyType[]
  readonly fields: readonly Field[]
  readonly byProperty: ReadonlyMap<string, Field>
  /** The names of all fields of declared properties. */
  readonly fieldNames: ReadonlySet<string>
  readonly id: Field | undefined
  /** How texts of undeclared properties are stored. */
  readonly undeclaredIds: IdCoding
  readonly settings: DocumentSettings
  /** The collection has a collation, which takes different texts for equal. */
  readonly isWide: boolean
  /** What frozen comparisons came to: core passes in those of the model's rules again and again. */
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

/** The row of a document. Undeclared fields follow the declared properties, unless the model is strict. */
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
 * The fields of a row, or of a patch: what is undefined is left out.
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
    `${model.name} cannot store the property ${JSON.stringify(name)}: a document has no field of this name`
  )
}
