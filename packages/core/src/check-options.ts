import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { describeProblem } from './definition/describe-problem.ts'
import { InvalidOption } from './definition/errors.ts'
import { fillDefaults, type WithDefaults } from './definition/fill-defaults.ts'

/** What Fastify itself reads from the options of a plugin. */
const optionsOfFastify: ReadonlySet<string> = new Set(['prefix', 'logLevel', 'logSerializers'])

/**
 * Checks the options of a plugin, those that Fastify reads left out, and returns them with their defaults.
 * @param plugin its name, for the error
 * @throws {InvalidOption} an option is unknown or malformed; `where.key` names it
 */
export function checkOptions<Schema extends TObject>(
  plugin: string,
  schema: Schema,
  options: object
): WithDefaults<Schema> {
  const own = Object.fromEntries(Object.entries(options).filter(([key]) => !optionsOfFastify.has(key)))
  const problem = Value.Errors(schema, own).First()
  // They have just been checked.
  if (problem === undefined) return fillDefaults(schema, options as Static<Schema>)
  const { key, text, description } = describeProblem(problem)
  const hint = description === undefined ? '' : ` (${description})`
  throw new InvalidOption(`the option "${key}" of ${plugin} is invalid: ${text}${hint}`, { key })
}
