import { InvalidOption } from '@modelwire/core/connector'
import type { ServerSettings } from '../settings.ts'

/**
 * The settings of a server as a driver needs them: those that are empty, as generated files have them, are ignored, and
 * beside an address nothing else counts.
 * @throws {InvalidOption} several hosts are named, of which drivers would use none
 */
export function serverAddress({
  url,
  port,
  host,
  hostname,
  user,
  username,
  password,
  database
}: ServerSettings): ServerAddress {
  if (isSet(url)) return { url: checkUrl(url) }
  const name = isSet(user) ? user : username
  const server = isSet(host) ? host : hostname
  return {
    host: isSet(server) ? checkHost(server, 'host') : 'localhost',
    ...(Number(port ?? 0) > 0 && { port: Number(port) }),
    ...(isSet(name) && { user: name }),
    ...(isSet(password) && { password }),
    ...(isSet(database) && { database })
  }
}

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

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

function checkHost(host: string, key: string): string {
  if (!host.includes(',')) return host
  throw new InvalidOption(
    'several hosts are named, and a connection leads to one: name a proxy or an address that leads to the host which writes',
    { key }
  )
}

/** An address that the language cannot read may still name hosts. */
function checkUrl(url: string): string {
  const [address = '', query = ''] = url.split('?', 2)
  checkHost(
    address
      .replace(/^[^/]*\/\//, '')
      .replace(/^.*@/, '')
      .replace(/\/.*$/, ''),
    'url'
  )
  const wanted = new URLSearchParams(query).get('target_session_attrs')
  if (wanted === null || wanted === 'any') return url
  throw new InvalidOption(
    `target_session_attrs=${wanted} is ignored: name an address that leads to such a host. A host that only reads is found out by the first write, which is a 503, and its connection is closed`,
    { key: 'url' }
  )
}
