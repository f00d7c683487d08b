import { isUtf8 } from 'node:buffer'
import { registerForms } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { InvalidRequest } from '../errors.ts'
import { FormBody } from './parameters.ts'

/** Bytes that are enough for every request. */
const limit = 65_536

/** Reads forms and JSON in this scope, whatever the server reads elsewhere. */
export async function addBodyParsers(scope: FastifyInstance): Promise<void> {
  const options = { parseAs: 'buffer', bodyLimit: limit } as const
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', options, async (_request: unknown, bytes: Buffer) =>
    parseJson(checkUtf8(bytes).toString())
  )
  // A POST without a body has no media type; some clients send one all the same.
  scope.addContentTypeParser('*', options, async (_request: unknown, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    throw new InvalidRequest('the body must be a form or JSON')
  })
  await registerForms(scope, { limit, read: checkUtf8, parse: (text) => new FormBody(text) })
}

/** Bytes that are not UTF-8 would become other texts than the client meant. */
function checkUtf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw new InvalidRequest('the body is not well-formed UTF-8')
  return bytes
}

/** Names of JavaScript's object model are refused: no parameter has them. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new InvalidRequest('the body contains an invalid parameter name')
      return value
    })
  } catch (cause) {
    throw cause instanceof InvalidRequest ? cause : new InvalidRequest('the body is not valid JSON', { cause })
  }
}
