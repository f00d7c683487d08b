import type { FastifyInstance } from 'fastify'
import type { OpsSettings } from './options.ts'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a log can show: no spaces, no quotes, nothing that ends a line. */
const usable = /^[\w.:;/+=@~-]{1,128}$/

/** The id that a client or proxy gave a request; undefined where there is none that is safe to log and to send back. */
function givenId(headers: IncomingHttpHeaders, header: string): string | undefined {
  const given = headers[header]
  return typeof given === 'string' && usable.test(given) ? given : undefined
}

/**
 * Assigns a unique id to every request, accepts one from a proxy if that is enabled, and returns it in a header. Fastify
 * adds it to each line of the log.
 */
export function nameRequests(app: FastifyInstance, { header, accept }: NonNullable<OpsSettings['requestIds']>): void {
  const name = header.toLowerCase()
  app.setGenReqId((request) => (accept ? givenId(request.headers, name) : undefined) ?? randomUUID())
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(name, request.id)
    done()
  })
}
