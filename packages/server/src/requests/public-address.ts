import { BlockList, isIP, type LookupFunction } from 'node:net'
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** An answer of another server is longer than this server reads. */
class AnswerTooLong extends TypeError {}

/** An address that this server refuses to request. */
export class AddressRefused extends TypeError {}

/** Resolves all addresses of a name, like `lookup` of Node's `dns`. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

/** What is not an address of the public network. @see the registries of special-purpose addresses, RFC 6890 */
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
]
/** Inside of 2000::/3: Teredo and other protocols, documentation, and addresses that hold one of version 4. */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
]

const special = new BlockList()
for (const [network, prefix] of special4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of special6) special.addSubnet(network, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** True for a public IP address: not of this machine, a local or private network, or reserved. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/**
 * Validates the URL of an untrusted source, as far as possible without resolving its name: it uses https, and if its host
 * is an IP address, that is a public one.
 * @throws {AddressRefused} it is not
 */
export function checkPublicUrl(url: URL): void {
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  if (url.protocol !== 'https:' || (isIP(literal) !== 0 && !isPublicAddress(literal)))
    throw new AddressRefused('the address is private')
}

/**
 * Resolves names for a connection: a name with any private address is refused. The checked address is the one connected to,
 * so a second resolution cannot return a different result. Node only resolves names: check a URL whose host is an address
 * with `checkPublicUrl`.
 */
export function publicLookup(find: ResolveName = lookup): LookupFunction {
  return (name, options, callback) => {
    find(name, { ...options, all: true }, (error, addresses) => {
      const isPublic = addresses?.every(({ address }) => isPublicAddress(address))
      const [first] = addresses ?? []
      if (error !== null) callback(error, '', 0)
      else if (!isPublic || first === undefined)
        callback(new AddressRefused('the host name resolves to a private address'), '', 0)
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * The text of a response, read up to a maximum length.
 * @param most bytes
 * @throws {AnswerTooLong}
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > most) throw new AnswerTooLong(`the response is longer than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * The response to a request to another server.
 * @throws {Error} the request fails, or its connection is closed without an answer: Node closes it without an error after 101, an unrequested protocol switch
 */
export function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    request.once('close', () => reject(new Error('the connection was closed without a response')))
  })
}
