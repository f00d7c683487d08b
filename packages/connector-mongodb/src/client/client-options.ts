import type { MongoClientOptions } from 'mongodb'
import type { ReadSettings } from '../settings.ts'

type Settings = Readonly<Record<string, unknown>>

/** Options of the driver that LoopBack's connector passes on, by their names there and today's. */
const driverOptionNames: Readonly<Record<string, keyof MongoClientOptions>> = {
  appname: 'appName',
  authMechanism: 'authMechanism',
  authSource: 'authSource',
  family: 'family',
  minSize: 'minPoolSize',
  noDelay: 'noDelay',
  poolSize: 'maxPoolSize',
  readConcern: 'readConcern',
  readPreference: 'readPreference',
  readPreferenceTags: 'readPreferenceTags',
  replicaSet: 'replicaSet',
  serverSelectionTimeoutMS: 'serverSelectionTimeoutMS',
  socketTimeoutMS: 'socketTimeoutMS',
  connectTimeoutMS: 'connectTimeoutMS',
  ssl: 'tls',
  sslCA: 'ca',
  sslCert: 'cert',
  sslKey: 'key',
  sslPass: 'passphrase',
  sslCRL: 'crl',
  tls: 'tls',
  tlsAllowInvalidCertificates: 'tlsAllowInvalidCertificates',
  tlsAllowInvalidHostnames: 'tlsAllowInvalidHostnames',
  tlsCAFile: 'tlsCAFile',
  tlsCertificateKeyFile: 'tlsCertificateKeyFile',
  tlsCertificateKeyFilePassword: 'tlsCertificateKeyFilePassword',
  tlsInsecure: 'tlsInsecure'
}

/** The options of the driver's client. */
export function clientOptions(settings: ReadSettings, rawSettings: Settings): MongoClientOptions {
  const { max, min, driver, connectTimeout, statementTimeout } = settings
  return {
    maxPoolSize: 10,
    // 0 stands for no limit everywhere but here.
    serverSelectionTimeoutMS: connectTimeout === 0 ? 2 ** 31 - 1 : connectTimeout,
    connectTimeoutMS: connectTimeout,
    waitQueueTimeoutMS: connectTimeout,
    // The server ends the command; should it be gone, the driver does soon after.
    socketTimeoutMS: statementTimeout === 0 ? 0 : statementTimeout + 1000,
    ignoreUndefined: true,
    ...driverOptionsOf(rawSettings),
    ...(max !== undefined && { maxPoolSize: max }),
    ...(min !== undefined && { minPoolSize: min }),
    ...writeConcern(rawSettings),
    ...driver
  }
}

function driverOptionsOf(rawSettings: Settings): MongoClientOptions {
  const options: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(driverOptionNames)) {
    const value = rawSettings[name]
    if (value !== undefined && value !== null && value !== '') options[option] = value
  }
  if (rawSettings['sslValidate'] === false) options['tlsAllowInvalidCertificates'] = true
  return options
}

/** LB3: w, wtimeout and j of the data source are its write concern; loopback-connector-mongodb, lib/mongodb.js, initialize. */
function writeConcern({ w, wtimeout, j, journal, writeConcern: whole }: Settings): MongoClientOptions {
  const parts = { w, wtimeoutMS: wtimeout, journal: j ?? journal }
  const present = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null)
  if (typeof whole !== 'object' && present.length === 0) return {}
  // The driver reports invalid values itself.
  const concern = { ...Object(whole), ...Object.fromEntries(present) } as NonNullable<
    MongoClientOptions['writeConcern']
  >
  return { writeConcern: concern }
}
