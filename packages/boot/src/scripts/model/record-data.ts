import type { Model } from '@modelwire/core'
import { stateOf } from '@modelwire/core/plugin'
import { readRaw, writeRaw } from './record-accessors.ts'

type Data = Record<string, unknown>

const fieldsOf = (record: Model): Data => record

/** Related records that were included, by the names of their relations; what is put there is shown with the record. */
export function relatedRecords(record: Model): Data {
  return (stateOf(record).related ??= {})
}

/** Where a record holds what goes by a name: among its related records, or its properties. */
function holderOf(record: Model, key: string | symbol): Data | undefined {
  if (typeof key !== 'string') return undefined
  const { type, related } = stateOf(record)
  return (related !== undefined && Object.hasOwn(related, key)) || type.relations.has(key)
    ? relatedRecords(record)
    : fieldsOf(record)
}

const isThere = (record: Model, key: string | symbol): boolean => {
  const holder = holderOf(record, key)
  return holder !== undefined && Object.hasOwn(holder, key) && readRaw(holder, key) !== undefined
}

/**
 * `record.__data`: a record's properties and included records without its methods, hidden ones too. What is set or deleted there is
 * set or deleted in the record.
 */
export function recordData(record: Model): Data {
  const read = (key: string | symbol): unknown => {
    const holder = holderOf(record, key)
    return holder !== undefined && Object.hasOwn(holder, key) ? readRaw(holder, key) : undefined
  }
  return new Proxy<Data>(
    {},
    {
      get: (_target, key) => read(key),
      set: (_target, key, value) => writeRaw(holderOf(record, key) ?? {}, key, value),
      has: (_target, key) => isThere(record, key),
      deleteProperty: (_target, key) => Reflect.deleteProperty(holderOf(record, key) ?? {}, key),
      ownKeys: () => {
        const names = [...Object.keys(record), ...Object.keys(stateOf(record).related ?? {})]
        return [...new Set(names)].filter((name) => isThere(record, name))
      },
      getOwnPropertyDescriptor: (_target, key) =>
        isThere(record, key) ? { value: read(key), enumerable: true, configurable: true, writable: true } : undefined
    }
  )
}
