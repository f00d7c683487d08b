import { isPlainObject } from '@modelwire/core/plugin'

/** A record that is named by its properties: `{ "$ref": "User", "email": "ann@example.org" }`. */
export interface Reference {
  readonly $ref: string
  readonly [property: string]: unknown
}

/** True for a value that names another record. */
export const isReference = (value: unknown): value is Reference =>
  isPlainObject(value) && typeof value['$ref'] === 'string'

/** The names of the models that references within a value lead to. */
export function referredModels(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referredModels)
  if (!isPlainObject(value)) return []
  const within = Object.values(value).flatMap(referredModels)
  return isReference(value) ? [value.$ref, ...within] : within
}
