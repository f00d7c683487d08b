import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** An address that this server does not request. */
export class AddressRefused extends TypeError {}

/**
 * Checks the URL of a source that is not trusted, as far as that is possible without a look-up of its name: it is of https,
 * and where its host is an IP address, that is a public one.
 * @throws {AddressRefused} it is not
 */
export function checkPublicUrl(url: URL): void {
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  if (url.protocol !== 'https:' || (isIP(literal) !== 0 && !isPublicAddress(literal)))
    throw new AddressRefused('the address is a private one')
}
