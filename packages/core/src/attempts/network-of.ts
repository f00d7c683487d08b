import { isIP } from 'node:net'

/** Groups of an address of version 6 that name its network: within it, one host has as many addresses as it likes. */
const networkGroups = 4

/** The groups of an address of version 6, zeros that are left out included. */
function groupsOf(address: string): readonly string[] {
  const [bare = ''] = address.split('%')
  const [head = [], tail] = bare.split('::').map((part) => (part === '' ? [] : part.split(':')))
  if (tail === undefined) return head
  // An address of version 4 at the end stands for two groups.
  const length = head.length + tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0)
  return [...head, ...Array.from({ length: Math.max(0, 8 - length) }, () => '0'), ...tail]
}

/**
 * What attempts of an address are counted by, as `@fastify/rate-limit` counts requests: an address of version 4 itself, the network of
 * 64 bits of one of version 6, whose owner has all 2^64 addresses in it.
 * @see RFC 6177; RFC 4291 section 2.5.5.2, addresses of version 4 in those of version 6
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [, version4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (version4 !== undefined) return version4
  const network = groupsOf(address).slice(0, networkGroups)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
