import { isPlainObject, setOwn } from '../values/clone-plain.ts'
import { isSecretField, secretNames, secretParameters } from './secret-names.ts'

/** Replaces a secret. */
export const mask = '…'

/** As `name=`, or within a condition: `filter[where][name]=`. */
const parameter = `(?:[?&;]${secretParameters}|(?:[[.]|%5B)${secretNames}(?:[\\].]|%5D)[^=&#\\s]{0,100}?)`

/** An encoded `&` is a part of the value. */
const secrets = new RegExp(`(${parameter}(?:=|%3D))[^&#\\s]*`, 'gi')

/** In an address that is a parameter itself: an `&` ends the value that is encoded as often as the sign before the name. */
const innerSecrets = new RegExp(
  `(%((?:25)*)(?:3F|26|3B)${secretParameters}(?:=|%(?:25)*3D))(?:(?!%(?:\\2)?26)[^&#\\s])*`,
  'gi'
)

/** As a name in JSON. What is not a string is left out to the end of its parameter. Two colons are a cast of SQL. */
const namedInJson = new RegExp(
  `((?:"|%22)${secretNames}(?:"|%22)(?:\\s|%20|\\+)*(?::|%3A)(?!:))(?:\\s*"(?:[^"\\\\]|\\\\.)*"?|[^&#\\s]*)`,
  'gi'
)

/** An address, or a text with addresses or JSON, without the secrets in it. */
export function maskSecrets(text: string): string {
  // Most texts hold no address, and are not searched for names.
  const hasEscapes = text.includes('%')
  const masked = hasEscapes || text.includes('=') ? text.replaceAll(secrets, `$1${mask}`) : text
  const outer = hasEscapes ? masked.replaceAll(innerSecrets, `$1${mask}`) : masked
  return hasEscapes || text.includes('"') ? outer.replaceAll(namedInJson, `$1${mask}`) : outer
}

/** Levels below which nothing is logged: a program can write no more of them without running out of its stack. */
const deepest = 200

/** Stands for an object that lies in itself, as pino writes it. */
const circular = '[Circular]'

type Masked = Map<object, unknown>

/**
 * What is to be logged without the secrets that its fields and texts hold, at any depth. What it is made of stays as it is: a part
 * without secrets is the same object.
 */
export function maskFields(value: unknown): unknown {
  return maskValue(value, new Map(), 0)
}

function maskValue(value: unknown, maskedOf: Masked, depth: number): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (!Array.isArray(value) && !isPlainObject(value)) return value
  if (depth >= deepest) return mask
  // Each object is looked at once, however often it is there.
  const found = maskedOf.get(value)
  if (found !== undefined) return found
  maskedOf.set(value, circular)
  const masked = Array.isArray(value) ? maskList(value, maskedOf, depth + 1) : maskObject(value, maskedOf, depth + 1)
  maskedOf.set(value, masked)
  return masked
}

function maskList(list: readonly unknown[], maskedOf: Masked, depth: number): readonly unknown[] {
  const masked = list.map((item) => maskValue(item, maskedOf, depth))
  return masked.some((item, index) => !Object.is(item, list[index])) ? masked : list
}

function maskObject(value: Readonly<Record<string, unknown>>, maskedOf: Masked, depth: number): object {
  let copy: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(value)) {
    const isSecret = isSecretField(name) && field !== undefined && field !== null
    const masked = isSecret ? mask : maskValue(field, maskedOf, depth)
    if (!Object.is(masked, field)) setOwn((copy ??= { ...value }), name, masked)
  }
  return copy ?? value
}
