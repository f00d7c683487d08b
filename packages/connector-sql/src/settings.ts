import { maskSecrets, type WithDefaults } from '@modelwire/core/connector'
import { type Static, Type } from '@sinclair/typebox'
import { targetSessions } from './hosts/target-session.ts'

/** Called for every statement: its text without the values, and how many milliseconds it took. */
export type StatementLog = (statement: string, duration: number) => void

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Settings that the SQL connectors share, with LoopBack's names. Others are ignored. */
export const SqlSettingsSchema = Type.Object({
  debug: Type.Optional(Type.Boolean({ default: false, description: 'writes every statement to the standard error' })),
  lazyConnect: Type.Optional(Type.Boolean({ default: false, description: 'the start does not wait for the database' })),
  foreignKeysFromRelations: Type.Optional(
    Type.Boolean({ default: false, description: 'a migration makes foreign keys of belongsTo relations, too' })
  ),
  naming: Type.Optional(
    Type.Union([Type.Literal('loopback'), Type.Literal('snake_case')], {
      default: 'loopback',
      description:
        'tables and columns that models do not name: as LoopBack names them, or in snake_case, so that createdAt is created_at'
    })
  ),
  undeclared: Type.Optional(
    Type.Union([Type.Literal('keep'), Type.Literal('refuse'), Type.Literal('drop')], {
      default: 'keep',
      description:
        'undeclared properties of open models are kept in a JSON column; where the table has none they are left out with a warning (keep), or refused (refuse). drop: there is no such column'
    })
  ),
  like: Type.Optional(
    Type.Union([Type.Literal('whole'), Type.Literal('part')], {
      default: 'whole',
      description: 'like compares whole texts, as SQL does, or finds a part of them, as the memory connector does'
    })
  )
})

/** Servers that copy the database. */
const ReplicaSettingsSchema = Type.Object(
  {
    url: text('address of the replicas, one or several; host and port are not used unless it is empty'),
    host: text('names or addresses of the replicas, with commas between them'),
    port: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String({ pattern: '^[0-9]*(,[0-9]*)*$' })], {
        description: "port of each replica, or one for all; the database's usual one when absent, 0 or empty"
      })
    ),
    maxLag: Type.Optional(
      Type.Integer({
        minimum: 10,
        default: 10_000,
        unit: 'ms',
        description: 'milliseconds that a read may be behind what is written; a replica that lags more is left alone'
      })
    ),
    readAfterWrite: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 10_000,
        unit: 'ms',
        description: 'milliseconds after a write for which its client reads what is stored now'
      })
    )
  },
  { additionalProperties: false, description: 'servers that copy the database, which answer reads of clients' }
)

/** Settings of a server that is reached over the network. */
export const ServerSettingsSchema = Type.Composite([
  SqlSettingsSchema,
  Type.Object({
    url: text('address with everything in it; host, port, user, password and database are not used unless it is empty'),
    host: text(
      'name or address of the server, or several with commas between them; localhost when `hostname` is absent, too'
    ),
    hostname: text('the same, where host is absent'),
    port: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String({ pattern: '^[0-9]*(,[0-9]*)*$' })], {
        description:
          "port of the server, one for each host or one for all; the database's usual one when absent, 0 or empty"
      })
    ),
    targetSessionAttrs: Type.Optional(
      Type.Union(
        targetSessions.map((each) => Type.Literal(each)),
        {
          description:
            'what a host has to be, as libpq has it; read-write where there are several hosts, any for a single one'
        }
      )
    ),
    loadBalanceHosts: Type.Optional(
      Type.Union([Type.Literal('disable'), Type.Literal('random')], {
        default: 'disable',
        description: 'the order in which several hosts are tried: as they are listed (disable), or random'
      })
    ),
    user: text('who connects'),
    username: text('the same, where user is absent'),
    password: text('password of the user'),
    database: text('name of the database'),
    session: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?$' }),
        Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
        {
          additionalProperties: false,
          description: "settings of the database's own that each connection starts with, by their names"
        }
      )
    ),
    replicas: Type.Optional(ReplicaSettingsSchema),
    connectTimeout: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 10_000,
        unit: 'ms',
        description: 'milliseconds that a connection may take to open, to become free, or to close; 0: without limit'
      })
    ),
    statementTimeout: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 30_000,
        unit: 'ms',
        description: 'milliseconds that a statement may take; 0: without limit'
      })
    ),
    cancelAfter: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 1000,
        unit: 'ms',
        description: 'milliseconds after which a read whose client has left is cancelled; a shorter one runs to its end'
      })
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

/** The listener of `debug` and `onStatement`. What `debug` writes holds neither values nor the secrets of addresses. */
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
