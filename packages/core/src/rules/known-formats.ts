import { CloneType, type TSchema } from '@sinclair/typebox'
import { formatPatterns } from './format-patterns.ts'

/**
 * A copy of a schema that TypeBox can check as it is: it refuses every text of a format that was not registered with it, so
 * the formats known here become patterns and the others, which are notes for readers, are left out.
 */
export function withKnownFormats<Schema extends TSchema>(schema: Schema): Schema {
  const copy = CloneType(schema)
  replaceFormats(copy)
  return copy
}

function replaceFormats(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  if ('format' in schema && 'type' in schema && schema.type === 'string') replaceFormat(schema)
  for (const part of Object.values(schema)) replaceFormats(part)
}

function replaceFormat(schema: { format?: unknown; pattern?: unknown }): void {
  const pattern = formatPatterns.get(schema.format)
  delete schema.format
  if (pattern !== undefined) schema.pattern ??= pattern.source
}
