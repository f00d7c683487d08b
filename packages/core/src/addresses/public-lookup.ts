import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { AddressRefused } from './check-public-url.ts'
import { isPublicAddress } from './public-address.ts'

/** Finds all addresses of a name, as `lookup` of Node's `dns` does. */
export type ResolveName = (
  name: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

/**
 * Looks names up for a connection: a name that leads to a private address, were it one of several, leads nowhere. The
 * checked address is the one connected to: there is no second look-up with another result. Node looks up names alone:
 * check a URL whose host is an address by `checkPublicUrl`.
 */
export function publicLookup(find: ResolveName = resolve): LookupFunction {
  return (name, options, callback) => {
    find(name, { ...options, all: true }, (error, addresses) => {
      const isPublic = addresses?.every(({ address }) => isPublicAddress(address))
      const [first] = addresses ?? []
      if (error !== null) callback(error, '', 0)
      else if (!isPublic || first === undefined)
        callback(new AddressRefused('the name leads to a private address'), '', 0)
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
