import { Readable } from 'node:stream'
import type { OperationContext } from '@modelwire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readQuery } from '../input/read-query.ts'
import type { StreamingCall, StreamServer } from '../streams/stream-server.ts'
import type { Negotiator, Representation } from './negotiate-type.ts'
import type { Serializers } from './serialize-value.ts'
import { wrapValue } from './wrap-value.ts'
import { cleanCallback, writeJsonp } from './write-jsonp.ts'
import { writeXml } from './write-xml.ts'

/** What sending any result needs. */
export interface SendingOptions {
  readonly negotiate: Negotiator
  readonly serializers: Serializers
  readonly streams: StreamServer
}

/** Sends the result of one operation. */
export type SendResult = (request: FastifyRequest, reply: FastifyReply, context: OperationContext) => FastifyReply

interface Answer {
  readonly representation: Representation
  readonly callback: unknown
}

/** The representation that the request asks for; its query is only read where it can say something. */
function chooseRepresentation(request: FastifyRequest, negotiate: Negotiator): Answer {
  const { url = '' } = request.raw
  const mayAsk = url.includes('_format') || url.includes('callback')
  const query = mayAsk ? readQuery(request) : undefined
  return {
    representation: negotiate(request.headers.accept, query?.['_format'], query?.['callback']),
    callback: query?.['callback']
  }
}

/** Dates and buffers among named values, or as the whole body, are wrapped; deeper ones are not. */
function wrapResult(result: unknown, plain: boolean): unknown {
  if (plain || typeof result !== 'object' || result === null || result instanceof Date || Buffer.isBuffer(result))
    return wrapValue(result)
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [name, wrapValue(value)]))
}

/** The status that a method set on the raw response; undefined when it set none. */
const ownStatus = ({ raw }: FastifyReply): number | undefined => (raw.statusCode === 200 ? undefined : raw.statusCode)

const isRedirect = ({ statusCode }: FastifyReply): boolean => statusCode >= 300 && statusCode < 400

const jsonType = 'application/json; charset=utf-8'

/** LB3: texts are sent in UTF-8, whatever type a method named for them. */
const inUtf8 = (type: unknown): string => `${String(type).replace(/;\s*charset=[^;]*/i, '')}; charset=utf-8`

/** Sends bytes, a text or a stream as it is, whatever the client accepts. LB3: as JSON unless the method named a type. */
function sendFile(reply: FastifyReply, file: unknown): FastifyReply {
  const isContent = typeof file === 'string' || Buffer.isBuffer(file) || file instanceof Readable
  if (!isContent) throw new TypeError('a method that returns a file must give a buffer, a text or a stream')
  if (!reply.hasHeader('content-type')) void reply.header('content-type', jsonType)
  if (typeof file === 'string') void reply.header('content-type', inUtf8(reply.getHeader('content-type')))
  return reply.send(file)
}

/** Compiles the sending of an operation's results. */
export function compileSending(
  { call, read }: StreamingCall,
  { negotiate, serializers, streams }: SendingOptions
): SendResult {
  const { operation, plainResult } = call
  if (operation.returns.some(({ type }) => type.kind === 'stream')) return streams.compileSending({ call, read })
  const hasBody = operation.returns.some(({ target }) => target === undefined)
  const isRoot = operation.returns.some(({ root }) => root)
  const isFile = operation.returns.some(({ type, target }) => type.kind === 'file' && target === undefined)
  const status = operation.status ?? (hasBody ? 200 : 204)

  const toText = (context: OperationContext, { kind }: Representation): string => {
    const { result } = context
    if (kind === 'xml') return writeXml(serializers.toPlain(result ?? (isRoot && result === undefined ? {} : result)))
    const wrapped = plainResult ? wrapIfBare(result) : wrapResult(result, isRoot)
    // LB3: a root value that is undefined is answered as an empty object, pinned by remoting/returns
    return serializers.toJson(wrapped) ?? '{}'
  }

  return (request, reply, context) => {
    reply.code(context.status ?? ownStatus(reply) ?? status)
    if (context.headers !== undefined) reply.headers(context.headers)
    if (isFile) return sendFile(reply, context.result)
    const isNothing = context.status === 204 && context.result === undefined
    // LB3: an empty answer is called JSON, one that leads elsewhere has no type; pinned by users/confirm-redirect.
    if (!hasBody && isRedirect(reply)) return reply.send()
    if (!hasBody || isNothing) return reply.header('content-type', jsonType).send()
    const { representation, callback } = chooseRepresentation(request, negotiate)
    if (representation.kind === 'none')
      return reply.code(406).header('content-type', representation.contentType).send('Not Acceptable')
    const text = toText(context, representation)
    reply.header('content-type', representation.contentType)
    if (representation.kind !== 'jsonp') return reply.send(text)
    return reply
      .header('x-content-type-options', 'nosniff')
      .send(writeJsonp(cleanCallback(callback) ?? 'callback', text))
  }
}

/** Wraps a result that is itself a date or a buffer. */
const wrapIfBare = (result: unknown): unknown =>
  result instanceof Date || Buffer.isBuffer(result) ? wrapValue(result) : result
