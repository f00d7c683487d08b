import { isPlainObject } from '@modelwire/core/connector'
import { ObjectId } from 'mongodb'

/**
 * How texts of a property are stored. `always`: as ObjectIds where they are the text of one; `lookalike`: the same, of texts that are
 * read back as they are; `never`: as texts.
 */
export type IdCoding = 'always' | 'lookalike' | 'never'

const length = 24
const anyCase = /^[\da-f]{24}$/i
const lowerCase = /^[\da-f]{24}$/

/** The ObjectId that a text stands for; undefined where it is stored as a text. */
export function objectIdOf(text: string, coding: IdCoding): ObjectId | undefined {
  if (text.length !== length || coding === 'never') return undefined
  return (coding === 'always' ? anyCase : lowerCase).test(text) ? new ObjectId(text) : undefined
}

/** The ObjectId that an object is, whichever version of the driver made it; undefined where it is something else. */
export function ofAnyDriver(value: object): ObjectId | undefined {
  if (value instanceof ObjectId) return value
  if (isPlainObject(value) || !/^ObjectI[dD]$/.test(String(Reflect.get(value, '_bsontype')))) return undefined
  const text = String(value)
  return anyCase.test(text) ? new ObjectId(text) : undefined
}

/** True for what could be the text of an ObjectId, in any case. */
export const isObjectIdText = (text: string): boolean => anyCase.test(text)
