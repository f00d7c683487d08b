import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { toTypeBox } from '../definition/to-typebox.ts'
import { withKnownFormats } from './known-formats.ts'
import type { Rule } from './rule.ts'

/**
 * Makes a rule that looks into nested objects, lists and unions: what is inside must match the schema. The schema is
 * compiled when the first value is looked at.
 */
export function makeShapeRule(property: string, schema: TSchema): Rule {
  let compiled: TypeCheck<TSchema> | undefined
  return {
    property,
    kind: 'shape',
    options: { schema, asSchema: true },
    sync: true,
    check: ({ record }) => {
      const value = record[property]
      if (value === null || value === undefined) return []
      compiled ??= TypeCompiler.Compile(withKnownFormats(toTypeBox(schema)))
      if (compiled.Check(value)) return []
      const problem = compiled.Errors(value).First()
      return [{ property, code: 'shape', message: describe(problem?.path ?? '', problem?.message ?? '') }]
    }
  }
}

const describe = (path: string, message: string): string => `has a wrong value${path && ` at ${path}`}: ${message}`
