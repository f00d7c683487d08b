import type { FastifyRequest } from 'fastify'
import { InvalidRequest } from '../errors.ts'

/** Characters of a token. @see RFC 6750 section 2.1 */
const tokenText = /^[\w\-.~+/]+=*$/

const several = 'there is more than one token'

/** A header that is there twice: Node shows the first one, what stands before this server may have looked at the other. */
function isRepeated({ raw: { rawHeaders } }: FastifyRequest, name: string): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count++
  return count > 1
}

/** @throws {InvalidRequest} the header is malformed, or there twice */
function fromHeader(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  if (isRepeated(request, 'authorization')) throw new InvalidRequest(several)
  const plain = authorization.startsWith('Bearer ') ? authorization.slice(7) : undefined
  if (plain !== undefined && tokenText.test(plain)) return plain
  const [scheme = '', token, ...others] = authorization.trim().split(/[ \t]+/)
  if (token === undefined || (others.length > 0 && scheme.toLowerCase() === 'bearer'))
    throw new InvalidRequest('the Authorization header is malformed')
  if (scheme.toLowerCase() !== 'bearer') return undefined
  if (!tokenText.test(token)) throw new InvalidRequest('the token is malformed')
  return token
}

const structured = /^access_token[[.]/

/** @throws {InvalidRequest} the parameter is there twice, or written as a structure */
function fromQuery({ raw: { url = '' } }: FastifyRequest): string | undefined {
  const mark = url.indexOf('?')
  if (mark === -1) return undefined
  const query = new URLSearchParams(url.slice(mark + 1))
  const values = query.getAll('access_token')
  if (values.length > 1 || [...query.keys()].some((name) => structured.test(name)))
    throw new InvalidRequest('access_token must be a single string')
  return values[0]
}

/**
 * The token in a request; undefined if there is none. Tokens in bodies are not read.
 * @param inQuery also look for `access_token` in the query, which ends up in logs and histories
 * @throws {InvalidRequest} it is malformed, or there is more than one
 * @see RFC 6750 section 2
 */
export function readBearer(request: FastifyRequest, inQuery: boolean): string | undefined {
  const header = fromHeader(request)
  const query = inQuery ? fromQuery(request) : undefined
  if (header !== undefined && query !== undefined) throw new InvalidRequest(several)
  return header ?? query
}
