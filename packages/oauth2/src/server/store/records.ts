import type { ModelClass } from '@modelwire/core'
import { repository, serverCall } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'

/** A record as a plain object. */
export type PlainRecord = Readonly<Record<string, unknown>>

interface WithObject {
  toObject(): unknown
}

const hasToObject = (value: unknown): value is WithObject =>
  typeof value === 'object' && value !== null && 'toObject' in value && typeof value.toObject === 'function'

/** The properties of a record, including hidden ones. */
export function recordOf(instance: unknown): PlainRecord {
  const plain = hasToObject(instance) ? instance.toObject() : instance
  return isPlainObject(plain) ? plain : {}
}

/** The record with this id, or undefined: the stored row itself, if there are no observers. Lists in it belong to the store. */
export async function findRecord({ modelType }: ModelClass, id: string): Promise<PlainRecord | undefined> {
  const found = await repository.findByIdForResponse(modelType, id, undefined, serverCall())
  return found instanceof repository.Records ? found.rows[0] : undefined
}

/** A string property of a record, or undefined. */
export function textOf(record: PlainRecord, name: string): string | undefined {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The strings of a list property. Lists stored as a single string are split as in LoopBack's component. */
export function textsOf(record: PlainRecord, name: string): readonly string[] {
  const value = record[name]
  if (typeof value === 'string') return value.split(/[,\s]+/).filter((text) => text !== '')
  if (value === null || typeof value !== 'object') return []
  const list: readonly unknown[] = Array.isArray(value) ? value : Array.from(value as Iterable<unknown>) // LoopBack's List
  return list.filter((item) => typeof item === 'string')
}

/** A date property of a record, or undefined. */
export function dateOf(record: PlainRecord, name: string): Date | undefined {
  const value = record[name]
  const date =
    value instanceof Date ? value : new Date(typeof value === 'string' || typeof value === 'number' ? value : NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}
