import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
const time = (standard: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, default: standard, unit: 'ms', description }))

const ServerSchema = Type.Object({
  url: text(
    'full connection URL; host, port, user, password and database are ignored unless it is empty or names no database'
  ),
  protocol: Type.Optional(
    Type.Union([Type.Literal('mongodb'), Type.Literal('mongodb+srv')], {
      default: 'mongodb',
      description: 'for a URL built from the settings below; mongodb+srv looks up the hosts in DNS'
    })
  ),
  host: text('host name or address of the server; 127.0.0.1 by default'),
  hostname: text('alias that takes precedence if both are set'),
  port: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String({ pattern: '^[0-9]*$' })], {
      description: 'port of the server; 27017 if absent, 0 or empty'
    })
  ),
  user: text('user name'),
  username: text('alias that takes precedence if both are set'),
  password: text('password of the user'),
  database: text('name of the database; that of the url by default, else test'),
  db: text('alias, used if database is absent'),
  authSource: text('database that authenticates the user'),
  replicaSet: text('name of the replica set'),
  connectTimeout: time(
    // Less than a start may take in Fastify.
    8_000,
    'milliseconds to wait for server selection, and for a connection to open or become free; 0: no limit'
  ),
  statementTimeout: time(30_000, 'milliseconds that a command may take; 0: no limit'),
  cancelAfter: time(
    1000,
    'milliseconds after which a read whose client has disconnected is cancelled; shorter reads run to completion'
  ),
  max: Type.Optional(
    Type.Integer({
      minimum: 1,
      unit: 'connections',
      description: 'maximum number of connections; poolSize by default, else 10'
    })
  ),
  min: Type.Optional(
    Type.Integer({
      minimum: 0,
      unit: 'connections',
      description: 'idle connections to keep open; minSize by default, else 0'
    })
  ),
  driver: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "further options of the driver's MongoClient, such as tls, compressors or readPreference"
    })
  )
})

const driverOption = (description: string) => Type.Optional(Type.Unknown({ title: 'as in the driver', description }))

/** What LoopBack's connector passes on to the driver, which finds fault with it by itself. */
const DriverSchema = Type.Object({
  appname: driverOption("application name for the server's log"),
  authMechanism: driverOption('authentication mechanism'),
  connectTimeoutMS: driverOption("the driver's own connection timeout in milliseconds, instead of connectTimeout"),
  family: driverOption('4 or 6: IP address family'),
  j: driverOption('acknowledge writes once they are in the journal'),
  journal: driverOption('alias, used if j is absent'),
  minSize: driverOption('idle connections to keep open, used if min is absent'),
  noDelay: driverOption("disable Nagle's algorithm"),
  poolSize: driverOption('maximum number of connections, used if max is absent'),
  readConcern: driverOption('read concern'),
  readPreference: driverOption('read preference'),
  readPreferenceTags: driverOption('tag sets of the read preference'),
  serverSelectionTimeoutMS: driverOption('milliseconds to wait for server selection, instead of connectTimeout'),
  socketTimeoutMS: driverOption('milliseconds of inactivity after which a socket is closed'),
  ssl: driverOption('use TLS'),
  sslCA: driverOption('trusted certificates'),
  sslCRL: driverOption('revoked certificates'),
  sslCert: driverOption('client certificate'),
  sslKey: driverOption('key of the client certificate'),
  sslPass: driverOption('password of that key'),
  sslValidate: driverOption("false: do not verify the server's certificate"),
  tls: driverOption('use TLS'),
  tlsAllowInvalidCertificates: driverOption("do not verify the server's certificate"),
  tlsAllowInvalidHostnames: driverOption('do not verify the host name in the certificate'),
  tlsCAFile: driverOption('file of trusted certificates'),
  tlsCertificateKeyFile: driverOption("file with the client's certificate and key"),
  tlsCertificateKeyFilePassword: driverOption('password of that file'),
  tlsInsecure: driverOption('verify neither certificate nor host name'),
  w: driverOption('how many members of a replica set must acknowledge a write'),
  writeConcern: driverOption('w, wtimeoutMS and journal in one object'),
  wtimeout: driverOption('milliseconds to wait for the acknowledgements')
})

const RecordsSchema = Type.Object({
  strictObjectIDCoercion: flag(
    'store strings that look like an ObjectId as strings; otherwise they are stored as ObjectIds, as in LoopBack'
  ),
  allowExtendedOperators: flag(
    "allow the application's code to use update operators such as $inc in data; clients never may"
  ),
  enableGeoIndexing: flag('store points as GeoJSON, and use 2dsphere indexes for them'),
  disableDefaultSort: flag("return records of a filter without an order in the database's own order, instead of by id"),
  lazyConnect: flag('do not wait for the database at startup'),
  changesOfOthers: flag(
    'also report changes made by other processes to listeners, such as change streams; requires a replica set or a sharded cluster'
  ),
  debug: flag('write the name and duration of every command to standard error')
})

/** Settings of the MongoDB connector, with LoopBack's names. Others are ignored. */
export const MongodbSettingsSchema = Type.Composite([ServerSchema, RecordsSchema, DriverSchema])

/** Settings of the MongoDB connector. */
export type MongodbSettings = Static<typeof MongodbSettingsSchema>

/** The settings with their defaults. */
export type ReadSettings = WithDefaults<typeof MongodbSettingsSchema>
