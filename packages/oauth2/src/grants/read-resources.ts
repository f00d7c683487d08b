import { InvalidTarget } from '../errors.ts'
import type { Parameters } from '../http/parameters.ts'
import type { OAuth2Parts } from '../parts.ts'

const isResource = (text: string): boolean => URL.canParse(text) && !text.includes('#')

/**
 * The resources that tokens are asked for: those of the request, else those that were granted before.
 * @param granted what the code or refresh token stands for; a request may ask for less
 * @throws {InvalidTarget} one is malformed, unknown to the server, or was not granted
 * @see RFC 8707 section 2
 */
export function readResources(
  { settings }: OAuth2Parts,
  parameters: Parameters,
  granted: readonly string[] | undefined
): readonly string[] {
  const asked = [...new Set(parameters.all('resource'))]
  if (asked.length === 0) return granted ?? []
  const known = settings.options.resources ?? []
  if (!asked.every((resource) => known.includes(resource) && isResource(resource)))
    throw new InvalidTarget('the resource is unknown')
  if (granted !== undefined && !asked.every((resource) => granted.includes(resource)))
    throw new InvalidTarget('the resource is not covered by the original grant')
  return asked
}
