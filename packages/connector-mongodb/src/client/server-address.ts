import type { ReadSettings } from '../settings.ts'
import { type Db, MongoClient, type MongoClientOptions, MongoError } from 'mongodb'
import { InvalidOption } from '@modelwire/server'
import type { CommandActivity } from './command-activity.ts'
import { type CommandLog, logCommands } from './command-log.ts'

/** The module that reads addresses has an error of its own, which is not a MongoError. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof MongoError || (error instanceof Error && error.name === 'MongoParseError')

/** The capabilities of a server. */
export interface ServerKind {
  /** A member of a replica set, or a router: it supports transactions and change streams. */
  readonly isReplicated: boolean
  /** A router: its metadata do not count documents exactly. */
  readonly isSharded: boolean
  /** @see https://github.com/mongodb/specifications/blob/master/source/wireversion-featurelist/wireversion-featurelist.md */
  readonly wireVersion: number
}

/** Of MongoDB 5.0: windows of an aggregation. */
const version50 = 13

/** True if aggregations support window functions. */
export const hasWindows = ({ wireVersion }: ServerKind): boolean => wireVersion >= version50

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/**
 * The address of the server with its database. Empty settings, as in generated files, are ignored.
 * @see loopback-connector-mongodb, lib/mongodb.js: generateMongoDBURL, processMongoDBURL
 */
export function serverAddress(settings: ReadSettings): string {
  const { url } = settings
  return isSet(url) ? withDatabase(withoutLegacyOptions(url), databaseOf(settings)) : addressOfParts(settings)
}

const databaseOf = ({ database, db }: ReadSettings): string | undefined => {
  const name = isSet(database) ? database : db
  return isSet(name) ? name : undefined
}

function addressOfParts(settings: ReadSettings): string {
  const { protocol, host, hostname, port, user, username, password } = settings
  const server = [hostname, host].find(isSet) ?? '127.0.0.1'
  const name = [username, user].find(isSet)
  const login =
    name === undefined || !isSet(password) ? '' : `${encodeURIComponent(name)}:${encodeURIComponent(password)}@`
  // A name that the name service resolves has no port; several hosts have theirs.
  const hasOwnPort = protocol === 'mongodb+srv' || /[,:]/.test(server.replace(/\[.*\]/, ''))
  const place = hasOwnPort ? server : `${server}:${Number(port ?? 0) || 27_017}`
  return `${protocol}://${login}${place}/${encodeURIComponent(databaseOf(settings) ?? 'test')}`
}

const parts = /^(\w[\w+-]*:\/\/[^/?]*)(?:\/([^?]*))?(\?.*)?$/

/** The address as it is, or with the database of the settings where it names none. */
function withDatabase(url: string, database: string | undefined): string {
  const match = parts.exec(url)
  if (match === null || isSet(match[2]) || database === undefined) return url
  return `${match[1] ?? ''}/${encodeURIComponent(database)}${match[3] ?? ''}`
}

/** Options that older drivers read from addresses, and that today's would stop at. */
const legacyOptions: ReadonlySet<string> = new Set(
  [
    'auto_reconnect',
    'autoReconnect',
    'bufferMaxEntries',
    'ha',
    'haInterval',
    'keepAlive',
    'keepAliveInitialDelay',
    'native_parser',
    'poolSize',
    'minSize',
    'reconnectInterval',
    'reconnectTries',
    'safe',
    'slaveOk',
    'sslValidate',
    'useNewUrlParser',
    'useUnifiedTopology'
  ].map((name) => name.toLowerCase())
)

function withoutLegacyOptions(url: string): string {
  const [start = '', query] = url.split('?', 2)
  if (query === undefined) return url
  const kept = query.split('&').filter((option) => !legacyOptions.has(option.replace(/=.*$/, '').toLowerCase()))
  return kept.length === 0 ? start : `${start}?${kept.join('&')}`
}

/** Queries the kind of a server. */
export async function askServer(db: Db): Promise<ServerKind> {
  const { setName, msg, maxWireVersion } = await db.admin().command({ hello: 1 })
  const isSharded = msg === 'isdbgrid'
  return { isReplicated: isSharded || typeof setName === 'string', isSharded, wireVersion: Number(maxWireVersion ?? 0) }
}

/**
 * Creates the driver's client, which connects with its first command.
 * @throws {InvalidOption} the driver cannot read the address, or does not take an option
 */
export function openClient(
  address: string,
  options: MongoClientOptions,
  { log, activity }: { readonly log: CommandLog | undefined; readonly activity: CommandActivity }
): MongoClient {
  const needsCommands = log !== undefined || activity.needsCommands
  const client = makeClient(address, needsCommands ? { ...options, monitorCommands: true } : options)
  if (log !== undefined) logCommands(client, log)
  activity.follow(client)
  return client
}

/** @throws {InvalidOption} the driver cannot read the address, or does not take an option */
export function makeClient(address: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(address, options)
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new InvalidOption(`MongoDB's driver refuses the settings of the data source: ${reasonOf(error, address)}`)
  }
}

/** The driver repeats what it takes for a host: a part of the password, where that is not encoded. */
function reasonOf({ message }: Error, address: string): string {
  if (!address.includes('@') || !/unable to parse/i.test(message)) return message
  return 'a host or port in the url cannot be read; in user and password, each of : / ? # [ ] @ must be percent-encoded'
}
