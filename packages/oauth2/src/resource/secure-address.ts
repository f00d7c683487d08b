import { AddressInsecure } from './resource-errors.ts'

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * An address that secrets and keys may come from: of TLS, or of this machine.
 * @param key the option that holds it
 * @throws {AddressInsecure} it is none
 */
export function secureAddress(written: string, key: string, allowHttp = false): URL {
  const isUrl = URL.canParse(written)
  const url = isUrl ? new URL(written) : undefined
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (allowHttp || loopback.test(url.hostname)))
  if (url === undefined || !isSecure || url.username !== '' || url.password !== '')
    throw new AddressInsecure('an https URL without user name and password is required', { key })
  return url
}
