import type { TSchema } from '@sinclair/typebox'
import type { ValueError } from '@sinclair/typebox/errors'
import { describeProblem } from '../definition/describe-problem.ts'
import { toTypeBox } from '../definition/to-typebox.ts'
import { schemaCheck } from './check-schema.ts'
import type { Rule } from './rule.ts'

/**
 * Makes a rule that looks into nested objects, lists and unions: what is inside must match the schema. The schema is
 * compiled when the first value is looked at.
 */
export function makeShapeRule(property: string, schema: TSchema): Rule {
  let problemOf: ReturnType<typeof schemaCheck> | undefined
  return {
    property,
    kind: 'shape',
    options: { schema, asSchema: true },
    sync: true,
    check: ({ record }) => {
      const value = record[property]
      if (value === null || value === undefined) return []
      problemOf ??= schemaCheck(toTypeBox(schema))
      const problem = problemOf(value)
      return problem === undefined ? [] : [{ property, code: 'shape', message: describeShape(problem) }]
    }
  }
}

function describeShape(problem: ValueError): string {
  const { path, text } = describeProblem(problem)
  return `has a wrong value${path && ` at ${path}`}: ${text}`
}
