import { InvalidOption } from '@modelwire/core/connector'
import type { ServerSettings } from '../settings.ts'

/**
 * The settings of a server as a driver needs them: those that are empty, as generated files have them, say nothing, and nothing
 * beside an address counts.
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
  if (isSaid(url)) return { url: checkUrl(url) }
  const name = isSaid(user) ? user : username
  const server = isSaid(host) ? host : hostname
  return {
    host: isSaid(server) ? checkHost(server, 'host') : 'localhost',
    ...(Number(port ?? 0) > 0 && { port: Number(port) }),
    ...(isSaid(name) && { user: name }),
    ...(isSaid(password) && { password }),
    ...(isSaid(database) && { database })
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

const isSaid = (said: string | undefined): said is string => said !== undefined && said !== ''

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
