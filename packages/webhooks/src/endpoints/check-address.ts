import { AddressRefused, checkPublicUrl, InvalidOption } from '@modelwire/core/plugin'
import { WebhookAddressRefused } from '../errors.ts'
import type { WebhooksSettings } from '../options.ts'

/** The options that decide about addresses. */
export type AddressRules = Pick<WebhooksSettings, 'allowPrivateAddresses' | 'allowedHosts' | 'ports' | 'lookup'>

/** True for a host whose addresses are not checked. */
export const isTrustedHost = (
  { hostname, host }: URL,
  { allowPrivateAddresses, allowedHosts }: AddressRules
): boolean => allowPrivateAddresses || allowedHosts.includes(hostname) || allowedHosts.includes(host)

/** A host as URLs have it, where they leave out the port of https. */
function isHost(text: string): boolean {
  if (!URL.canParse(`https://${text}`)) return false
  const { hostname, host } = new URL(`https://${text}`)
  return text === hostname || text === host
}

/** @throws {InvalidOption} an allowed host is none, and would allow nothing */
export function checkAllowedHosts({ allowedHosts }: Pick<AddressRules, 'allowedHosts'>): void {
  const wrong = allowedHosts.find((host) => !isHost(host))
  if (wrong === undefined) return
  const message = `the option "allowedHosts" of webhooks has "${wrong}", which is no host: write hook.example or hook.example:8080`
  throw new InvalidOption(message, { key: 'webhooks.allowedHosts' })
}

function refusePrivate(url: URL): void {
  try {
    checkPublicUrl(url)
  } catch (cause) {
    if (!(cause instanceof AddressRefused)) throw cause
    throw new WebhookAddressRefused('webhooks are sent by https to public addresses alone', { cause })
  }
}

const portOf = ({ port }: URL): number => (port === '' ? 443 : Number(port))

/**
 * The URL of an endpoint, as far as it can be checked without a look-up of its name.
 * @throws {WebhookAddressRefused} it is malformed, has credentials, or is one that webhooks are not sent to
 */
export function checkAddress(address: unknown, rules: AddressRules): URL {
  if (typeof address !== 'string' || !URL.canParse(address)) throw new WebhookAddressRefused('url must be an https URL')
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    throw new WebhookAddressRefused('url must not hold a user name or password: use headers')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new WebhookAddressRefused('url must be an https URL')
  if (isTrustedHost(url, rules)) return url
  refusePrivate(url)
  if (!rules.ports.includes(portOf(url)))
    throw new WebhookAddressRefused(`webhooks are sent to these ports alone: ${rules.ports.join(', ')}`)
  return url
}
