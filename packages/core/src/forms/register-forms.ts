import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Awaitable } from '../values/awaitable.ts'
import { CheckedBytes } from './checked-bytes.ts'

/** How the forms of a scope are read. What these functions throw is what the request fails with. */
export interface FormParsing {
  /** Bytes of a body, as they came. */
  readonly limit: number
  /** The bytes of the form in UTF-8: inflates and checks those that came. */
  readonly read: (bytes: Buffer, request: FastifyRequest) => Awaitable<Buffer>
  /** The value of `request.body`. */
  readonly parse: (text: string) => unknown
}

const mediaType = 'application/x-www-form-urlencoded'
const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i

const mayHaveForm = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' && method !== 'HEAD' && formType.test(headers['content-type'] ?? '')

/**
 * Makes `scope` read `application/x-www-form-urlencoded` with `@fastify/formbody`, in place of a parser of that type
 * that the scope has or took over. Those of the scopes around it stay as they are.
 *
 * `@fastify/formbody` passes its parser a text and no request. What depends on the bytes or on headers is therefore
 * read in a `preParsing` hook.
 */
export async function registerForms(scope: FastifyInstance, { limit, read, parse }: FormParsing): Promise<void> {
  scope.addHook('preParsing', (request, _reply, payload, done) => {
    if (!mayHaveForm(request)) done()
    else done(null, new CheckedBytes(payload, (bytes) => read(bytes, request), limit))
  })
  scope.removeContentTypeParser(mediaType)
  // The plugin assigns the result to `request.body`, whatever it is.
  const parser = parse as (text: string) => Record<string, unknown>
  await scope.register(formbody, { bodyLimit: limit, parser })
}
