import { maskSecrets, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

/** The required states of a host, named as in libpq. */
export const targetSessions = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** A required state of a host. */
export type TargetSession = (typeof targetSessions)[number]

/** Called for every statement: its text without the values, and its duration in milliseconds. */
export type StatementLog = (statement: string, duration: number) => void

const text = (description: string) => Type.Optional(Type.String({ description }))

const milliseconds = (byDefault: number, description: string, minimum = 0) =>
  Type.Optional(Type.Integer({ minimum, default: byDefault, unit: 'ms', description }))

/** The setting for the size of a pool. */
export const connectionsSetting = Type.Optional(
  Type.Integer({ minimum: 1, default: 10, unit: 'connections', description: 'maximum number of connections' })
)

/** Options of the setting for the zone of times in columns without one, as `zoneOf` reads it. */
export const zoneOptions = { pattern: '^(local|Z|[+-]\\d\\d:\\d\\d)$', default: 'Z' } as const

const ports = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String({ pattern: '^[0-9]*(,[0-9]*)*$' })], {
      description
    })
  )

/** Settings that the SQL connectors share, with LoopBack's names. Others are ignored. */
export const SqlSettingsSchema = Type.Object({
  debug: Type.Optional(Type.Boolean({ default: false, description: 'write every statement to standard error' })),
  lazyConnect: Type.Optional(Type.Boolean({ default: false, description: 'do not wait for the database at startup' })),
  foreignKeysFromRelations: Type.Optional(
    Type.Boolean({ default: false, description: 'also create foreign keys for belongsTo relations in migrations' })
  ),
  naming: Type.Optional(
    Type.Union([Type.Literal('loopback'), Type.Literal('snake_case')], {
      default: 'loopback',
      description:
        'names of tables and columns that models do not set: as in LoopBack, or in snake_case, so that createdAt becomes created_at'
    })
  ),
  undeclared: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('refuse'), Type.Literal('drop')], {
      default: 'keep',
      description:
        'store undeclared properties of open models in a JSON column; if the table has none, omit them with a warning (keep), or refuse them (refuse). drop: the table has no such column'
    })
  ),
  like: Type.Optional(
    Type.Union([Type.Literal('whole'), Type.Literal('part')], {
      default: 'whole',
      description: 'whether like matches whole strings, as in SQL, or substrings, as in the memory connector'
    })
  )
})

/** Servers that copy the database. */
const ReplicaSettingsSchema = Type.Object(
  {
    url: text('URL of the replicas, one or several; host and port are ignored unless it is empty'),
    host: text('comma-separated host names or addresses of the replicas'),
    port: ports("port of each replica, or one for all; the database's default port if absent, 0 or empty"),
    maxLag: milliseconds(
      10_000,
      'milliseconds that a read may lag behind writes; replicas that lag more are not used',
      10
    ),
    readAfterWrite: milliseconds(
      10_000,
      'milliseconds after a write during which reads of the same client go to the primary'
    )
  },
  { additionalProperties: false, description: 'read replicas, used for reads of clients' }
)

/** Settings of a network server. */
export const ServerSettingsSchema = Type.Composite([
  SqlSettingsSchema,
  Type.Object({
    url: text('full connection URL; host, port, user, password and database are ignored unless it is empty'),
    host: text(
      'host name or address of the server, or several separated by commas; localhost if `hostname` is absent, too'
    ),
    hostname: text('alias, used if host is absent'),
    port: ports("port of the server, one per host or one for all; the database's default port if absent, 0 or empty"),
    targetSessionAttrs: Type.Optional(
      Type.Union(
        targetSessions.map((each) => Type.Literal(each)),
        {
          description: 'required state of a host, as in libpq; read-write for several hosts, any for a single one'
        }
      )
    ),
    loadBalanceHosts: Type.Optional(
      Type.Union([Type.Literal('disable'), Type.Literal('random')], {
        default: 'disable',
        description: 'order in which several hosts are tried: as listed (disable), or random'
      })
    ),
    user: text('user name'),
    username: text('alias, used if user is absent'),
    password: text('password of the user'),
    database: text('name of the database'),
    session: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$' }),
        Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
        {
          additionalProperties: false,
          description: 'session variables set on each new connection, by name'
        }
      )
    ),
    replicas: Type.Optional(ReplicaSettingsSchema),
    connectTimeout: milliseconds(
      10_000,
      'milliseconds that a connection may take to open, to become free, or to close; 0: no limit'
    ),
    statementTimeout: milliseconds(30_000, 'milliseconds that a statement may take; 0: no limit'),
    cancelAfter: milliseconds(
      1000,
      'milliseconds after which a read whose client has disconnected is cancelled; shorter reads run to completion'
    )
  })
])

/** Settings of replicas, with their defaults. */
export type ReplicaSettings = WithDefaults<typeof ReplicaSettingsSchema>
/** Settings of any SQL connector. */
export type SqlSettings = Static<typeof SqlSettingsSchema>
/** Settings of a connector to a server. */
export type ServerSettings = Static<typeof ServerSettingsSchema>

const toStandardError = (line: string): void => void process.stderr.write(line)

/** The listener of `debug` and `onStatement`. The output of `debug` contains neither values nor secrets of URLs. */
export function readLog(
  settings: Readonly<Record<string, unknown>>,
  write: (line: string) => void = toStandardError
): StatementLog | undefined {
  const { debug, onStatement } = settings
  // A function in the settings can only have been put there to be called like this.
  if (typeof onStatement === 'function') return onStatement as StatementLog
  if (debug !== true) return undefined
  return (statement, duration) => write(`${maskSecrets(statement)} -- ${duration.toFixed(1)} ms\n`)
}
