import type { ServerSettings, TargetSession } from '../settings.ts'
import { readBalance, readTargetSession } from './target-session.ts'
import { InvalidOption } from '@modelwire/server'

/** A host of a list and its port; undefined for the database's default port. */
interface HostPort {
  readonly host: string
  readonly port: number | undefined
}

/** Where a server is, and the user and database. */
export type ServerAddress =
  | { readonly url: string }
  | {
      readonly url?: undefined
      readonly host: string
      readonly port?: number
      readonly user?: string
      readonly password?: string
      readonly database?: string
    }

/** A host of a list: the driver's options for it, and its name in messages, which contains no secrets. */
export interface ListedHost {
  readonly name: string
  readonly address: ServerAddress
}

/** The servers of a data source, the first one first. */
export interface ServerAddresses {
  readonly hosts: readonly ListedHost[]
  /** The required state of a host. */
  readonly wanted: TargetSession
  /** They are tried in a random order. */
  readonly isRandom: boolean
}

/**
 * The servers of a data source, as options of a driver. Empty settings, as in generated files, are ignored, and with a url
 * nothing else counts. For several hosts, a writable one is required by default.
 * @throws {InvalidOption} a list of hosts is malformed; the message holds no password
 * @see https://www.postgresql.org/docs/current/libpq-connect.html
 */
export function serverAddresses(settings: ServerSettings): ServerAddresses {
  const { url, port, host, hostname, user, username, password, database } = settings
  if (isSet(url)) return readUrl(url, settings)
  const name = isSet(user) ? user : username
  const server = isSet(host) ? host : hostname
  const login = {
    ...(isSet(name) && { user: name }),
    ...(isSet(password) && { password }),
    ...(isSet(database) && { database })
  }
  const list = readHostList(server ?? '', String(port ?? ''))
  const hosts = list.map((each) => ({ name: nameHost(each), address: { ...plainAddress(each), ...login } }))
  return { hosts, ...preferences(hosts.length, settings) }
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/** Without a port there is no such key, which drivers would read. */
const plainAddress = ({ host, port }: HostPort): { host: string; port?: number } => ({
  host,
  ...(port !== undefined && { port })
})

type Preferences = Omit<ServerAddresses, 'hosts'>

function preferences(count: number, settings: ServerSettings): Preferences {
  const { targetSessionAttrs, loadBalanceHosts } = settings
  return { wanted: targetSessionAttrs ?? (count > 1 ? 'read-write' : 'any'), isRandom: loadBalanceHosts === 'random' }
}

/** What is before the hosts of an address, the hosts, and what is behind them. A password may hold commas. */
const parts = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/is

/** An address that the language cannot read may still name hosts. */
function readUrl(url: string, settings: ServerSettings): ServerAddresses {
  const [, before, authority = '', path = '', text = ''] = parts.exec(url) ?? []
  if (before === undefined) return { hosts: [{ name: 'the address', address: { url } }], ...preferences(1, settings) }
  const query = new URLSearchParams(text)
  const named = query.get('host') ?? ''
  const list = isSet(named) ? readHostList(named, query.get('port') ?? '') : readAuthority(authority)
  const [wanted, balance] = [query.get('target_session_attrs'), query.get('load_balance_hosts')]
  const given = preferences(list.length, settings)
  const chosen = {
    wanted: wanted === null ? given.wanted : readTargetSession(wanted, 'url'),
    isRandom: balance === null ? given.isRandom : readBalance(balance, 'url')
  }
  if (list.length === 1 && wanted === null && balance === null)
    return { hosts: list.map((each) => ({ name: nameHost(each), address: { url } })), ...chosen }
  const own = list.length === 1 ? [] : ['host', 'port']
  for (const key of ['target_session_attrs', 'load_balance_hosts', ...own]) query.delete(key)
  const rest = query.size === 0 ? path : `${path}?${query.toString()}`
  const urlOf = (each: HostPort): string =>
    `${before}${list.length === 1 ? authority : nameHost({ ...each, host: encodeHost(each.host) })}${rest}`
  return { hosts: list.map((each) => ({ name: nameHost(each), address: { url: urlOf(each) } })), ...chosen }
}

/** A folder of sockets is written with percent signs in an address. */
const encodeHost = (host: string): string => (host.startsWith('/') ? encodeURIComponent(host) : host)

/**
 * The hosts of a comma-separated list, and their ports: one for all of them, or one per host. An empty host is localhost,
 * an empty port the default one.
 * @throws {InvalidOption} there are neither one port nor as many as hosts, or one is not a port
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function readHostList(hosts: string, ports: string): readonly HostPort[] {
  const [names, numbers] = [hosts.split(','), ports.split(',')]
  if (numbers.length !== 1 && numbers.length !== names.length)
    throw new InvalidOption(`${numbers.length} ports for ${names.length} hosts: give one port, or one per host`, {
      key: 'port'
    })
  return names.map((name, at) => ({
    host: name.trim() === '' ? 'localhost' : name.trim(),
    port: readPort((numbers.length === 1 ? numbers[0] : numbers[at]) ?? '')
  }))
}

/**
 * The hosts in the authority of a URL, without its user: `a:5432,b,[::1]:5433`.
 * @throws {InvalidOption} a port is none
 */
export function readAuthority(authority: string): readonly HostPort[] {
  return authority.split(',').map((part) => {
    const [, bracketed, plain = '', port = ''] = /^(?:(\[[^\]]*\])|([^:]*))(?::(.*))?$/s.exec(part.trim()) ?? []
    const host = bracketed ?? (plain === '' ? 'localhost' : plain)
    return { host, port: readPort(port) }
  })
}

/** The name of a host in messages and URLs. */
export function nameHost({ host, port }: HostPort): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return port === undefined ? name : `${name}:${port}`
}

function readPort(text: string): number | undefined {
  const number = Number(text.trim())
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number === 0 ? undefined : number
  throw new InvalidOption('a port must be a number up to 65535', { key: 'port' })
}
