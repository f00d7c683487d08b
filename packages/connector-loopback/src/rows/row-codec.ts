import type { ModelType, PropertyType, Row } from '@modelwire/core/connector'
import { setOwn } from '@modelwire/server'
import type { Family } from '../family.ts'
import { isObject } from '../juggler/driver.ts'
import { compileDecode } from './decode-value.ts'

/** Converts rows to what a connector stores, and back. */
export interface RowCodec {
  /** Decodes a record from a connector. */
  readonly decode: (data: unknown) => Row
  /** Encodes a row as a new object, which the connector may change. Absent values are omitted; with `whole` they are null. */
  readonly encode: (row: Row, whole?: boolean) => Record<string, unknown>
}

/** The codec of a model. Undeclared properties are kept if the connector stores them. */
export function createRowCodec(model: ModelType, family: Family): RowCodec {
  const { properties, byName } = model
  const decodes = properties.map(({ name, type }) => [name, compileDecode(type)] as const)
  const storesUndeclared = family !== 'relational'
  const encodeValue = family === 'relational' ? asColumn : (_property: unknown, value: unknown) => value
  const isStored = (name: string): boolean => storesUndeclared || byName.has(name)
  const undeclaredOf = (object: object): readonly (readonly [string, unknown])[] =>
    storesUndeclared ? Object.entries(object).filter(([name]) => !byName.has(name)) : []
  return {
    decode(data) {
      const object: object = isObject(data) ? data : {}
      const row: Row = {}
      for (const [name, decode] of decodes) setOwn(row, name, decode(ownPart(object, name)))
      for (const [name, value] of undeclaredOf(object)) setOwn(row, name, value)
      return row
    },
    encode(row, whole = false) {
      const data: Record<string, unknown> = {}
      for (const [name, value] of Object.entries(row))
        if (value !== undefined && isStored(name)) setOwn(data, name, encodeValue(byName.get(name), value))
      const absent = whole ? properties.filter(({ name, id }) => !id && data[name] === undefined) : []
      for (const { name } of absent) setOwn(data, name, null)
      return data
    }
  }
}

const ownPart = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined

/** LB3: connectors for tables keep lists and objects as JSON; loopback-datasource-juggler, lib/dao.js, _forDB. */
function asColumn(property: PropertyType | undefined, value: unknown): unknown {
  const kind = property?.type.kind
  if (value === null || kind === 'date' || kind === 'geopoint' || kind === 'buffer') return value
  const isJson = kind === 'any' || isObject(value)
  return isJson ? JSON.stringify(value) : value
}
