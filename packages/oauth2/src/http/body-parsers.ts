import type { FastifyInstance } from 'fastify'
import { InvalidRequest } from '../errors.ts'
import { FormBody } from './parameters.ts'

/** Reads forms and JSON in this scope, whatever the server reads elsewhere. 64 KiB are enough for every request. */
export function addBodyParsers(scope: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: 65_536 } as const
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, text, done) => {
    done(null, new FormBody(String(text)))
  })
  scope.addContentTypeParser('application/json', options, async (_request: unknown, text: string) => parseJson(text))
  // A POST without a body has no media type; some clients send one all the same.
  scope.addContentTypeParser('*', options, async (_request: unknown, text: string) => {
    if (text === '') return undefined
    throw new InvalidRequest('the body must be a form or JSON')
  })
}

/** Names of JavaScript's object model are refused: no parameter has them. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new InvalidRequest('the body holds a name that no parameter has')
      return value
    })
  } catch (cause) {
    throw cause instanceof InvalidRequest ? cause : new InvalidRequest('the body is no JSON', { cause })
  }
}
