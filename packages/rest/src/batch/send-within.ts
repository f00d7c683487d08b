import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BatchRequest } from './batch-request.ts'
import type { Given } from './references.ts'

/** The answer to one request of a batch. */
export interface InnerAnswer extends Given {
  readonly headers: Readonly<Record<string, string>>
}

/** Headers that are about the body, the connection or the answer of the batch: those of its requests are others. */
const notInherited =
  /^(content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept|accept-encoding|if-.*|range|prefer|idempotency-key|x-http-method-override|:.*)$/

/** The headers of an answer that are a part of it, as those of a connection are not. */
const answered = [
  'content-type',
  'etag',
  'link',
  'location',
  'preference-applied',
  'x-total-count',
  'retry-after',
  'idempotency-replayed'
]

function inheritedHeaders({ headers }: FastifyRequest): Record<string, string | string[]> {
  const own: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notInherited.test(name)) own[name] = value
  return own
}

/** Sends one request of a batch through the server, in the name of whoever sent the batch. `url` is that of the server. */
export async function sendWithin(
  scope: FastifyInstance,
  outer: FastifyRequest,
  { method, url, headers, body }: BatchRequest
): Promise<InnerAnswer> {
  const hasBody = body !== undefined
  const { remoteAddress } = outer.socket
  const answer = await scope.inject({
    method,
    url,
    headers: {
      ...inheritedHeaders(outer),
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers
    },
    ...(hasBody ? { payload: JSON.stringify(body) } : {}),
    ...(remoteAddress === undefined ? {} : { remoteAddress })
  })
  const present = answered.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  const type = String(answer.headers['content-type'] ?? '')
  const isJson = answer.payload !== '' && /^application\/([\w.-]+\+)?json\b/.test(type)
  const isText = isJson || answer.payload === '' || type.startsWith('text/')
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(present),
    text: isText ? answer.payload : answer.rawPayload.toString('base64'),
    isJson
  }
}
