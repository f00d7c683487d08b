import type { AclOptions } from '@modelwire/acl'
import type { UsersOptions } from '@modelwire/users'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/core/plugin'
import type { ConnectorFactories } from './connectors/connector-factories.ts'
import type { BootExtension, Components } from './extension.ts'

const byName = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

/** Options of the plugin `boot`. Those of `acl` and `users` are checked by these plugins. */
export const BootOptionsSchema = Type.Object(
  {
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
        unit: 'ms',
        description:
          'milliseconds after which a call whose method, hooks and rules have not answered is given up with 503; 0 waits forever'
      })
    ),
    connectors: Type.Optional(
      Type.Unsafe<ConnectorFactories>(byName('connector factories of your own, by the name that datasources.json uses'))
    ),
    packageFolders: Type.Optional(
      Type.Array(Type.String(), {
        description: 'folders whose packages are looked through for connectors after those of the application'
      })
    ),
    requireConnectors: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'refuse to start where a connector of Modelwire is not installed (`CONNECTOR_NOT_INSTALLED`), instead of answering 501'
      })
    ),
    acl: Type.Optional(Type.Unsafe<AclOptions>(byName('options of access control, as the plugin acl takes them'))),
    users: Type.Optional(Type.Unsafe<UsersOptions>(byName('options of users, as the plugin users takes them'))),
    components: Type.Optional(
      Type.Unsafe<Components>(byName('components of your own, by the name that component-config.json uses'))
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
        byName('environment variables for ${name} in configuration files; those of the process when absent')
      )
    )
  },
  { description: '`createServer` takes these, and `logger`, `fastify` and `setUp` for the server that it makes.' }
)

/** Options of the plugin `boot`. */
export type BootOptions = Static<typeof BootOptionsSchema>

/** The options with their defaults. */
export type BootSettings = WithDefaults<typeof BootOptionsSchema>

/** The options with their defaults. @throws {InvalidOption} one has the wrong type */
export function readOptions(options: BootOptions): BootSettings {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined)
  const problem = Value.Errors(BootOptionsSchema, Object.fromEntries(defined)).First()
  if (problem !== undefined) throw new InvalidOption(problem.message.toLowerCase(), { key: problem.path.slice(1) })
  return fillDefaults(BootOptionsSchema, options)
}
