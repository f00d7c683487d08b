import type { WithDefaults } from '@modelwire/core/connector'
import { type Static, Type } from '@sinclair/typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
const time = (standard: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, default: standard, unit: 'ms', description }))

const ServerSchema = Type.Object({
  url: text(
    'address with everything in it; host, port, user, password and database are not used unless it is empty, or names no database'
  ),
  protocol: Type.Optional(
    Type.Union([Type.Literal('mongodb'), Type.Literal('mongodb+srv')], {
      default: 'mongodb',
      description: 'of an address that is made of the settings below; mongodb+srv asks the name service for the hosts'
    })
  ),
  host: text('name or address of the server; absent: 127.0.0.1'),
  hostname: text('the same; it counts where both are there'),
  port: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 65535 }), Type.String({ pattern: '^[0-9]*$' })], {
      description: 'port of the server; 27017 when absent, 0 or empty'
    })
  ),
  user: text('who connects'),
  username: text('the same; it counts where both are there'),
  password: text('password of the user'),
  database: text('name of the database; absent: that of the url, or test'),
  db: text('the same, where database is absent'),
  authSource: text('database that knows the user'),
  replicaSet: text('name of the replica set'),
  connectTimeout: time(
    // Less than a start may take in Fastify.
    8_000,
    'milliseconds until a server is found, and until a connection is open or free; 0: without limit'
  ),
  statementTimeout: time(30_000, 'milliseconds that a command may take; 0: without limit'),
  cancelAfter: time(
    1000,
    'milliseconds after which a read whose client has left is cancelled; a shorter one runs to its end'
  ),
  max: Type.Optional(
    Type.Integer({ minimum: 1, unit: 'connections', description: 'connections at most; absent: poolSize, or 10' })
  ),
  min: Type.Optional(
    Type.Integer({
      minimum: 0,
      unit: 'connections',
      description: 'connections that are kept when idle; absent: minSize, or 0'
    })
  ),
  driver: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'further options of the MongoClient of the driver, such as tls, compressors or readPreference'
    })
  )
})

const driverOption = (description: string) =>
  Type.Optional(Type.Unknown({ title: 'as the driver has it', description }))

/** What LoopBack's connector passes on to the driver, which finds fault with it by itself. */
const DriverSchema = Type.Object({
  appname: driverOption('name that the server logs'),
  authMechanism: driverOption('how the user is authenticated'),
  connectTimeoutMS: driverOption(
    "the driver's own time-out of connecting, in milliseconds, in place of connectTimeout"
  ),
  family: driverOption('4 or 6: the kind of addresses'),
  j: driverOption('a write is acknowledged when it is in the journal'),
  journal: driverOption('the same, where j is absent'),
  minSize: driverOption('connections that are kept when idle, where min is absent'),
  noDelay: driverOption('packets are not held back'),
  poolSize: driverOption('connections at most, where max is absent'),
  readConcern: driverOption('which writes reads see'),
  readPreference: driverOption('which members of a replica set are read'),
  readPreferenceTags: driverOption('which of those members'),
  serverSelectionTimeoutMS: driverOption('milliseconds until a server is found, in place of connectTimeout'),
  socketTimeoutMS: driverOption('milliseconds without a word of the server after which a connection is closed'),
  ssl: driverOption('the connection is encrypted'),
  sslCA: driverOption('certificates that are trusted'),
  sslCRL: driverOption('certificates that were revoked'),
  sslCert: driverOption('certificate of the client'),
  sslKey: driverOption('its key'),
  sslPass: driverOption('password of the key'),
  sslValidate: driverOption("false: the server's certificate is not checked"),
  tls: driverOption('the connection is encrypted'),
  tlsAllowInvalidCertificates: driverOption("the server's certificate is not checked"),
  tlsAllowInvalidHostnames: driverOption('nor the name in it'),
  tlsCAFile: driverOption('file of certificates that are trusted'),
  tlsCertificateKeyFile: driverOption('file of the certificate and key of the client'),
  tlsCertificateKeyFilePassword: driverOption('password of that file'),
  tlsInsecure: driverOption('neither certificate nor name are checked'),
  w: driverOption('how many members of a replica set acknowledge a write'),
  writeConcern: driverOption('w, wtimeoutMS and journal in one object'),
  wtimeout: driverOption('milliseconds until they have')
})

const RecordsSchema = Type.Object({
  strictObjectIDCoercion: flag(
    'a text that looks like an ObjectId is stored as a text; without it such texts are stored as ObjectIds, as LoopBack stores them'
  ),
  allowExtendedOperators: flag(
    'data of the code of the application may use operators of updates such as $inc; data of clients never'
  ),
  enableGeoIndexing: flag('points are stored as GeoJSON, and indexes of them are 2dsphere indexes'),
  disableDefaultSort: flag('records of a filter without an order come as the database finds them, and not by id'),
  lazyConnect: flag('the start does not wait for the database'),
  changesOfOthers: flag(
    'listeners, such as change streams, hear of what other processes change as well; needs a replica set or a sharded cluster'
  ),
  debug: flag('writes the name and duration of every command to the standard error')
})

/** Settings of the MongoDB connector, with LoopBack's names. Others are ignored. */
export const MongodbSettingsSchema = Type.Composite([ServerSchema, RecordsSchema, DriverSchema])

/** Settings of the MongoDB connector. */
export type MongodbSettings = Static<typeof MongodbSettingsSchema>

/** The settings with their defaults. */
export type ReadSettings = WithDefaults<typeof MongodbSettingsSchema>
