import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { InvalidRequest } from '#src/errors.ts'
import { readBearer } from '#src/http/read-bearer.ts'

const b64 = 'ABCXYZabcxyz0189-._~+/'
/** @see RFC 6750 section 2.1, b64token */
const token = fc
  .tuple(fc.string({ unit: fc.constantFrom(...Array.from(b64)), minLength: 1 }), fc.constantFrom('', '=', '=='))
  .map((parts) => parts.join(''))

/** What is read of a request: its address, and its headers as Node gives them. */
function requestWith(url: string, ...headers: readonly string[]): FastifyRequest {
  const rawHeaders = headers.flatMap((value, at) => [at === 0 ? 'Authorization' : 'AUTHORIZATION', value])
  const made: unknown = { headers: { authorization: headers[0] }, raw: { url, rawHeaders } }
  return made as FastifyRequest // what is read of one is there
}

function read(request: FastifyRequest, inQuery = true): string | undefined {
  try {
    return readBearer(request, inQuery)
  } catch (error) {
    if (error instanceof InvalidRequest) return 'refused'
    throw error
  }
}

void t.test(
  'a token is read from the header in any case of the scheme, or from the query where that is allowed',
  async () => {
    const scheme = fc.constantFrom('Bearer ', 'bearer ', 'BEARER  ', 'Bearer\t')
    fc.assert(
      fc.property(token, scheme, (text, name) => {
        const inQuery = `/api?x=1&access_token=${encodeURIComponent(text)}`
        const results = [read(requestWith('/api?x=1', name + text)), read(requestWith(inQuery))]
        return results.every((each) => each === text) && read(requestWith(inQuery), false) === undefined
      })
    )
  }
)

void t.test('two tokens are one too many, wherever they are', async () => {
  fc.assert(
    fc.property(token, token, (one, other) => {
      const query = `access_token=${encodeURIComponent(one)}`
      const twice = [
        requestWith(`/?${query}`, `Bearer ${other}`),
        requestWith(`/?${query}&${query}`),
        requestWith(`/?${query}&access_token[]=x`),
        requestWith('/', `Bearer ${one}`, `Bearer ${other}`),
        requestWith('/', `Bearer ${one} ${other}`)
      ]
      return twice.every((request) => read(request) === 'refused')
    })
  )
})

void t.test('whatever comes: a text that can be a token, nothing, or one coded error', async () => {
  const piece = fc.constantFrom('Bearer', 'Basic', ' ', '\t', 'a', '=', ',', 'é', '\0', '"')
  const header = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }).map((rest) => `Bearer ${rest}`)
  )
  fc.assert(
    fc.property(header, fc.string({ unit: 'binary' }), (given, query) => {
      const fromHeader = read(requestWith('/', given))
      const fromQuery = read(requestWith(`/?access_token=${query}`))
      const isToken = fromHeader === undefined || /^[\w\-.~+/]+=*$/.test(fromHeader)
      return isToken && (fromQuery === undefined || typeof fromQuery === 'string')
    }),
    { numRuns: runs(1000) }
  )
})
