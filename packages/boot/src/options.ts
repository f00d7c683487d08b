import type { AclOptions } from '@modelwire/acl'
import type { UsersOptions } from '@modelwire/users'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOption } from '@modelwire/core'
import type { ConnectorFactories } from './connectors/connector-factories.ts'
import type { BootExtension, Components } from './extension.ts'

/** The options of `boot` that are plain data. */
export const BootOptionsSchema = Type.Object({
  dir: Type.String({ minLength: 1, description: 'folder of the application, or its server folder' }),
  env: Type.Optional(
    Type.String({ description: 'whose configuration files count; NODE_ENV, else development, when absent' })
  ),
  version: Type.Optional(
    Type.Union([Type.Literal(2), Type.Literal(3)], {
      default: 3,
      description: 'major version of LoopBack that the application was written for'
    })
  ),
  methodTimeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: 0,
      description:
        'milliseconds after which a call whose method, hooks and rules have not answered is given up with 503; 0 waits forever'
    })
  )
})

/** Options of the plugin `boot`. */
export type BootOptions = Static<typeof BootOptionsSchema> & {
  /** Connectors of your own, by the name that `datasources.json` uses. */
  readonly connectors?: ConnectorFactories
  /** Options of access control, as the plugin `acl` takes them. */
  readonly acl?: AclOptions
  /** Options of users, as the plugin `users` takes them. */
  readonly users?: UsersOptions
  /** Components of your own, by the name that `component-config.json` uses. */
  readonly components?: Components
  /** Other packages that add models or operations to the application. */
  readonly extensions?: readonly BootExtension[]
  /** Environment variables for `${name}` in configuration files; those of the process when absent. */
  readonly variables?: Readonly<Record<string, string | undefined>>
}

/** @throws {InvalidOption} an option has the wrong type */
export function checkOptions(options: BootOptions): void {
  const { dir, env, version, methodTimeout } = options
  const data = Object.entries({ dir, env, version, methodTimeout }).filter(([, value]) => value !== undefined)
  const problem = Value.Errors(BootOptionsSchema, Object.fromEntries(data)).First()
  if (problem !== undefined) throw new InvalidOption(problem.message.toLowerCase(), { key: problem.path.slice(1) })
}
