import { InvalidOption } from '@modelwire/core/connector'

/** A host of a list and its port; undefined for the database's usual one. */
export interface HostPort {
  readonly host: string
  readonly port: number | undefined
}

/**
 * The hosts of a list with commas, and their ports: one for all of them, or as many as there are hosts. An empty host is
 * localhost, an empty port the usual one.
 * @throws {InvalidOption} there are neither one port nor as many as hosts, or one is not a port
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function readHostList(hosts: string, ports: string): readonly HostPort[] {
  const [names, numbers] = [hosts.split(','), ports.split(',')]
  if (numbers.length !== 1 && numbers.length !== names.length)
    throw new InvalidOption(`there are ${numbers.length} ports for ${names.length} hosts: name one for each, or one`, {
      key: 'port'
    })
  return names.map((name, at) => ({
    host: name.trim() === '' ? 'localhost' : name.trim(),
    port: readPort((numbers.length === 1 ? numbers[0] : numbers[at]) ?? '')
  }))
}

/** The hosts of the authority of an address, without its user: `a:5432,b,[::1]:5433`. @throws {InvalidOption} a port is none */
export function readAuthority(authority: string): readonly HostPort[] {
  return authority.split(',').map((part) => {
    const [, bracketed, plain = '', port = ''] = /^(?:(\[[^\]]*\])|([^:]*))(?::(.*))?$/s.exec(part.trim()) ?? []
    const host = bracketed ?? (plain === '' ? 'localhost' : plain)
    return { host, port: readPort(port) }
  })
}

/** How a host is named in messages, and in addresses. */
export function nameHost({ host, port }: HostPort): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return port === undefined ? name : `${name}:${port}`
}

function readPort(text: string): number | undefined {
  const number = Number(text.trim())
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number === 0 ? undefined : number
  throw new InvalidOption('a port is a number up to 65535', { key: 'port' })
}
