import type { ReadSettings } from '../settings.ts'

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/**
 * The address of the server with its database. Settings that are empty, as generated files have them, are ignored.
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
