import type { ServerSettings } from '../settings.ts'
import { type HostPort, nameHost, readAuthority, readHostList } from './host-list.ts'
import { readBalance, readTargetSession, type TargetSession } from './target-session.ts'

/** Where a server is, and who connects. */
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

/** A host of a list: how a driver reaches it, and its name in messages, which has no secrets. */
export interface ListedHost {
  readonly name: string
  readonly address: ServerAddress
}

/** The servers of a data source, the first one first. */
export interface ServerAddresses {
  readonly hosts: readonly ListedHost[]
  /** What a host has to be. */
  readonly wanted: TargetSession
  /** They are tried in a random order. */
  readonly isRandom: boolean
}

/**
 * The servers of a data source as a driver needs them, one by one: settings that are empty, as generated files have them,
 * are ignored, and beside an address nothing else counts. Of several hosts one that writes is wanted, unless said otherwise.
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
  const hosts = list.map((each) => ({ name: nameHost(each), address: { ...plain(each), ...login } }))
  return { hosts, ...preferences(hosts.length, settings) }
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/** Without a port there is no such key, which drivers would read. */
const plain = ({ host, port }: HostPort): { host: string; port?: number } => ({
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
