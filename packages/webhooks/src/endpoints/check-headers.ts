import { isPlainObject } from '@modelwire/core/plugin'
import { WebhookEndpointInvalid } from '../errors.ts'

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const visible = /^[\x20-\x7e]*$/
/** What the server itself says of a message, or of the connection. */
const own =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|webhook-.*)$/i
const most = 20
const longest = 2048

/** @throws {WebhookEndpointInvalid} a header cannot be sent, or is one that the server sets */
export function checkHeaders(headers: unknown): void {
  if (headers === undefined || headers === null) return
  if (!isPlainObject(headers)) throw new WebhookEndpointInvalid('headers must be an object of texts')
  const entries = Object.entries(headers)
  if (entries.length > most) throw new WebhookEndpointInvalid(`an endpoint has ${most} headers at most`)
  for (const [name, value] of entries) {
    if (!token.test(name) || own.test(name)) throw new WebhookEndpointInvalid(`the header "${name}" cannot be set`)
    if (typeof value !== 'string' || value.length > longest || !visible.test(value))
      throw new WebhookEndpointInvalid(`the header "${name}" must be a text of visible ASCII characters`)
  }
}
