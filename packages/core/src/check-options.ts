import type { Static, TObject } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { describeProblem } from './definition/describe-problem.ts'
import { InvalidOption } from './definition/errors.ts'
import { fillDefaults, type WithDefaults } from './definition/fill-defaults.ts'

/** What Fastify itself reads from the options of a plugin. */
const optionsOfFastify: ReadonlySet<string> = new Set(['prefix', 'logLevel', 'logSerializers'])

/**
 * Refuses options or settings that do not fit their schema.
 * @param owner its name, for the error, and the place in the configuration where they stand
 * @throws {InvalidOption} one is unknown or malformed; `where.key` names it
 */
export function refuseMalformed(
  schema: TObject,
  options: object,
  { name, place }: { readonly name: string; readonly place?: string }
): void {
  const problem = Errors(schema, [], options).First()
  if (problem === undefined) return
  const { key: own, text, description } = describeProblem(problem)
  const hint = description === undefined ? '' : ` (${description})`
  const key = [place, own].filter(Boolean).join('.')
  throw new InvalidOption(`the option "${own}" of ${name} is invalid: ${text}${hint}`, { key })
}

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
  refuseMalformed(schema, own, { name: plugin })
  // They have just been checked.
  return fillDefaults(schema, options as Static<Schema>)
}
