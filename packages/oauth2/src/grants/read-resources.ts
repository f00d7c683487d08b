import { InvalidTarget } from '../errors.ts'
import type { Parameters } from '../http/parameters.ts'
import type { OAuth2Parts } from '../parts.ts'

/** True for what may name a resource: an absolute URL without a fragment. @see RFC 8707 section 2 */
export const isResource = (text: string): boolean => URL.canParse(text) && !text.includes('#')

/**
 * The resources that tokens are requested for: those of the request, else those that were granted before.
 * @param granted the resources of the code or refresh token; a request may name fewer
 * @throws {InvalidTarget} one is malformed, unknown to the server, or was not granted
 * @see RFC 8707 section 2
 */
export function readResources(
  { settings }: OAuth2Parts,
  parameters: Parameters,
  granted: readonly string[] | undefined
): readonly string[] {
  const requested = [...new Set(parameters.all('resource'))]
  if (requested.length === 0) return granted ?? []
  const configured = settings.options.resources ?? []
  if (!requested.every((resource) => configured.includes(resource))) throw new InvalidTarget('the resource is unknown')
  if (granted !== undefined && !requested.every((resource) => granted.includes(resource)))
    throw new InvalidTarget('the resource is not covered by the original grant')
  return requested
}
