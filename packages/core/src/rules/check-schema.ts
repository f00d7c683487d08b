import { CloneType, type TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { Errors, type ValueError } from '@sinclair/typebox/errors'

/** The string formats known to a schema's keyword `format`. Others are annotations for readers, as in JSON Schema. */
export const formatPatterns: ReadonlyMap<unknown, RegExp> = new Map([
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['uri', /^[a-z][a-z\d+.-]*:\S+$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d/i],
  ['time', /^\d\d:\d\d/],
  ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['hostname', /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i]
])

/**
 * Makes a function that returns the first violation of the schema in a value, or undefined. The schema is compiled on first
 * use, so that TypeBox's compiler is not loaded earlier.
 */
export function schemaCheck(schema: TSchema): (value: unknown) => ValueError | undefined {
  let known: TSchema | undefined
  let compiled: TypeCheck<TSchema> | undefined
  return (value) => {
    if (known === undefined) {
      known = withKnownFormats(schema)
      void compile(known)
    }
    return compiled?.Check(value) === true ? undefined : Errors(known, [], value).First()
  }

  async function compile(checked: TSchema): Promise<void> {
    const { TypeCompiler } = await import('@sinclair/typebox/compiler')
    try {
      compiled = TypeCompiler.Compile(checked)
    } catch {
      // A part of a kind that TypeBox does not know: values without it go on to be checked as the first one was.
    }
  }
}

/**
 * A copy of a schema that TypeBox can check as it is: it refuses every text of a format that was not registered with it, so
 * the formats known here become patterns and the others, which are notes for readers, are left out.
 */
function withKnownFormats<Schema extends TSchema>(schema: Schema): Schema {
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
