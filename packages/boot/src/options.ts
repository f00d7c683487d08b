import type { AclOptions } from '@modelwire/acl'
import type { UsersOptions } from '@modelwire/users'
import { type Static, Type } from '@sinclair/typebox'
import { fillDefaults, InvalidOption, problemOf, type WithDefaults } from '@modelwire/server'
import type { ConnectorFactories } from './read/connectors/connector-factories.ts'
import type { BootExtension, Components } from './extension.ts'

const byName = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** Options of the plugin `boot`. Those of `acl` and `users` are validated by these plugins. */
export const BootOptionsSchema = Type.Object(
  {
    dir: Type.String({ minLength: 1, description: 'folder of the application, or its server folder' }),
    env: Type.Optional(
      Type.String({
        description: 'environment whose configuration files are used; NODE_ENV by default, else development'
      })
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
        unit: 'ms',
        description:
          "milliseconds that a call's method, hooks and rules may take before it is aborted with 503; 0: no limit"
      })
    ),
    connectors: Type.Optional(
      Type.Unsafe<ConnectorFactories>(byName('custom connector factories, keyed by the name used in datasources.json'))
    ),
    packageFolders: Type.Optional(
      Type.Array(Type.String(), {
        description: 'folders whose packages are searched for connectors, after those of the application'
      })
    ),
    requireConnectors: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'refuse to start if a Modelwire connector is not installed (`CONNECTOR_NOT_INSTALLED`), instead of returning 501'
      })
    ),
    acl: Type.Optional(Type.Unsafe<AclOptions>(byName('access control options, as for the plugin acl'))),
    users: Type.Optional(Type.Unsafe<UsersOptions>(byName('user options, as for the plugin users'))),
    components: Type.Optional(
      Type.Unsafe<Components>(byName('custom components, keyed by the name used in component-config.json'))
    ),
    extensions: Type.Optional(
      Type.Unsafe<readonly BootExtension[]>(
        Type.Array(Type.Unknown({ title: 'extension' }), {
          description: 'other packages that add models, guards or operations'
        })
      )
    ),
    variables: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | undefined>>>(
        byName('environment variables for ${name} in configuration files; those of the process by default')
      )
    )
  },
  {
    description:
      '`createServer` accepts these, as well as `logger`, `fastify` and `setUp` for the server that it creates.'
  }
)

/** Options of the plugin `boot`. */
export type BootOptions = Static<typeof BootOptionsSchema>

/** The options with their defaults. */
export type BootSettings = WithDefaults<typeof BootOptionsSchema>

/** The options with their defaults. @throws {InvalidOption} one has the wrong type */
export function readOptions(options: BootOptions): BootSettings {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  const problem = problemOf(BootOptionsSchema, Object.fromEntries(defined))
  if (problem !== undefined) throw new InvalidOption(problem.expected, { key: problem.key })
  return fillDefaults(BootOptionsSchema, options)
}
