import type { IncomingMessage } from 'node:http'
import { originForm } from '@modelwire/core/plugin'
import { RequestNotForwardable } from '../errors.ts'
import type { OldServer } from './old-server.ts'

/**
 * The path and query that the old server is asked for: as the client wrote them, but without the origin of an absolute target, which
 * guards by path would not recognize.
 * @throws {RequestNotForwardable} the target has no path, or names another host than `Host`
 * @see RFC 9112 section 3.2
 */
export function forwardTarget({ url = '/', headers }: IncomingMessage, { base }: Pick<OldServer, 'base'>): string {
  const form = originForm(url)
  if (form === undefined) throw new RequestNotForwardable('the request target must have a path')
  if (form.authority !== undefined && form.authority.toLowerCase() !== headers.host?.toLowerCase())
    throw new RequestNotForwardable('the request target and the header Host must name the same host')
  return base + form.target
}
