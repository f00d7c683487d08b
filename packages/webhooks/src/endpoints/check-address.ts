import { AddressRefused, checkPublicUrl, InvalidOption } from '@modelwire/server'
import { WebhookAddressRefused } from '../errors.ts'
import type { WebhooksSettings } from '../options.ts'

/** The options for checking URLs. */
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
  const message = `the option "allowedHosts" of webhooks has the invalid host "${wrong}": write hook.example or hook.example:8080`
  throw new InvalidOption(message, { key: 'webhooks.allowedHosts' })
}

function refusePrivate(url: URL): void {
  try {
    checkPublicUrl(url)
  } catch (cause) {
    if (!(cause instanceof AddressRefused)) throw cause
    throw new WebhookAddressRefused('the webhook URL must use https and a public address', { cause })
  }
}

const portOf = ({ port }: URL): number => (port === '' ? 443 : Number(port))

/**
 * Validates the URL of an endpoint, as far as possible without resolving its name.
 * @throws {WebhookAddressRefused} it is malformed, has credentials, or is one that webhooks are not sent to
 */
export function checkAddress(address: unknown, rules: AddressRules): URL {
  if (typeof address !== 'string' || !URL.canParse(address)) throw new WebhookAddressRefused('url must be an https URL')
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    throw new WebhookAddressRefused('url must not contain a user name or password: use headers')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new WebhookAddressRefused('url must be an https URL')
  if (isTrustedHost(url, rules)) return url
  refusePrivate(url)
  if (!rules.ports.includes(portOf(url)))
    throw new WebhookAddressRefused(`the port of the webhook URL must be one of ${rules.ports.join(', ')}`)
  return url
}
