import { CloneType, type TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { Errors, type ValueError } from '@sinclair/typebox/errors'
import { formatPatterns } from './format-patterns.ts'

/**
 * Makes a function that returns the first thing in a value that the schema does not allow, undefined where all is well. The first
 * value is looked at as TypeBox describes problems, and lets the schema be compiled: TypeBox's compiler is not loaded before.
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
