import type { Static, TSchema } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { describeProblem } from '../definition/describe-problem.ts'
import { InvalidOption } from '../definition/errors.ts'
import { fillDefaults, type WithDefaults } from '../definition/fill-defaults.ts'

/**
 * The settings of a data source as `schema` has them, with its defaults. Null counts as absent, as in LoopBack.
 * @param connector its name, for the error
 * @throws {InvalidOption} a setting has the wrong type
 */
export function readSettings<Schema extends TSchema>(
  schema: Schema,
  settings: Readonly<Record<string, unknown>>,
  connector: string
): WithDefaults<Schema> {
  const present = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined)
  )
  const problem = Errors(schema, [], present).First()
  // They have just been checked.
  if (problem === undefined) return fillDefaults(schema, present as Static<Schema>)
  const { key, text } = describeProblem(problem)
  throw new InvalidOption(`the ${connector} connector's ${key}: ${text}`, { key })
}
