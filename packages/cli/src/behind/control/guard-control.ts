import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ControlOriginRefused, ControlTokenRequired } from '../errors.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Refuses requests that come by a foreign name, as those of a page do whose own name was made to lead here, and those of
 * pages of another origin.
 * @throws {ControlOriginRefused} the request is one of these
 */
export function checkOrigin({ headers, socket }: FastifyRequest): void {
  const { host = '', origin } = headers
  const port = socket.localPort ?? 80
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  if (!own.includes(host)) throw new ControlOriginRefused('ask by 127.0.0.1 or localhost')
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ControlOriginRefused('pages of another origin may not ask')
}

/**
 * Makes the check of the bearer token.
 * @returns throws {ControlTokenRequired} where a request does not carry it
 */
export function makeTokenCheck(token: string): (request: FastifyRequest) => void {
  const wanted = digest(token)
  return ({ headers }) => {
    const [, sent = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
    if (!timingSafeEqual(digest(sent), wanted))
      throw new ControlTokenRequired('send the token of this start: Authorization: Bearer …')
  }
}
