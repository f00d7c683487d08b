import { Readable } from 'node:stream'
import {
  andThen,
  type AnswerBounds,
  type Awaitable,
  checkHeader,
  checkStatus,
  storesData,
  successStatus,
  type Operation
} from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compileTagging } from '../conditional/tag-answers.ts'
import type { ReadQuery } from '../input/read-query.ts'
import { writeWithin } from './answer-size.ts'
import type { RestSettings } from '../options.ts'
import { unsniffed } from './reply-headers.ts'
import type { ListFacts } from '../lists/list-facts.ts'
import type { StreamingCall, StreamServer } from '../streams/stream-server.ts'
import { compileMinimal } from './minimal-answer.ts'
import type { Negotiator, Representation } from './negotiate-type.ts'
import type { SendResult } from './result-sender.ts'
import type { Serializers } from './serialize-value.ts'
import { wrapValue } from './wrap-value.ts'
import { cleanCallback, writeJsonp } from './write-jsonp.ts'
import { writeXml } from './write-xml.ts'

/** The options of sending any result. */
export interface SendingOptions {
  readonly readQuery: ReadQuery
  readonly negotiate: Negotiator
  readonly serializers: Serializers
  readonly streams: StreamServer
  /** What an answer may be at most. */
  readonly answer: AnswerBounds
  /** The options of the plugin. */
  readonly settings: RestSettings
}

/** An operation whose results are sent. */
interface SendingCall extends StreamingCall {
  /** Present where it gives a list. */
  readonly list: ListFacts | undefined
}

interface Answer {
  readonly representation: Representation
  readonly callback: unknown
}

/** The requested representation; the query is only read where it can choose one. */
function chooseRepresentation(request: FastifyRequest, { negotiate, readQuery }: SendingOptions): Answer {
  const { url = '' } = request.raw
  const mayNameFormat = url.includes('_format') || url.includes('callback')
  const query = mayNameFormat ? readQuery(request) : undefined
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

/** Sets all headers, or none where one of them cannot be sent. */
function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value)
  reply.headers(headers)
}

/** The status that a method set on the raw response; undefined when it set none. */
const ownStatus = ({ raw }: FastifyReply): number | undefined => (raw.statusCode === 200 ? undefined : raw.statusCode)

const isRedirect = ({ statusCode }: FastifyReply): boolean => statusCode >= 300 && statusCode < 400

const jsonType = 'application/json; charset=utf-8'

/** LB3: an empty answer has the type that one with content would have. Express knows no character set of application/xml. */
function emptyType({ kind, contentType }: Representation): string {
  if (kind === 'none') return jsonType
  return contentType.startsWith('application/xml') ? 'application/xml' : contentType
}

/** LB3: texts are sent in UTF-8, whatever type a method named for them. */
const inUtf8 = (type: unknown): string => `${String(type).replace(/;\s*charset=[^;]*/i, '')}; charset=utf-8`

/** Sends bytes, a text or a stream as it is, whatever the client accepts. LB3: as JSON unless the method named a type. */
function sendFile(reply: FastifyReply, file: unknown): FastifyReply {
  const isContent = typeof file === 'string' || Buffer.isBuffer(file) || file instanceof Readable
  if (!isContent) throw new TypeError('a method that returns a file must return a buffer, a string or a stream')
  if (!reply.hasHeader('content-type')) void reply.header('content-type', jsonType)
  if (typeof file === 'string') void reply.header('content-type', inUtf8(reply.getHeader('content-type')))
  return unsniffed(reply).send(file)
}

/** LB3: what a hook makes the result of a method that returns nothing is sent. */
const statusOf = (operation: Operation, { createdStatus }: RestSettings): number =>
  operation.returns.length === 0 ? (operation.status ?? 200) : successStatus(operation, createdStatus)

/** Compiles the sending of an operation's results. */
export function compileSending({ call, read, list }: SendingCall, options: SendingOptions): SendResult {
  const { operation, plainResult } = call
  const { serializers, streams, answer, settings } = options
  if (operation.returns.some(({ type }) => type.kind === 'stream')) return streams.compileSending({ call, read })
  const isRoot = operation.returns.some(({ root }) => root)
  const isFile = operation.returns.some(({ type, target }) => type.kind === 'file' && target === undefined)
  const status = statusOf(operation, settings)
  // What a client stores is bounded by its request: an answer that was refused would hide that it is stored.
  const bounds = storesData(operation.effect) ? undefined : answer
  const sendMinimal = compileMinimal(operation, settings.handling === 'strict')
  const tagging = compileTagging(operation, settings.listETags)

  const wrap = plainResult ? wrapIfBare : (result: unknown): unknown => wrapResult(result, isRoot)
  const toText = (result: unknown, { kind }: Representation): Awaitable<string> =>
    kind === 'xml'
      ? writeXml(serializers.toPlain(result, bounds))
      : andThen(serializers.toJsonInParts(wrap(result), bounds), (text = '{}') => text)

  return (request, reply, context) => {
    const own = context.status ?? ownStatus(reply)
    const isNothing = context.result === undefined
    const defaultStatus = isNothing && status === 200 ? 204 : status
    reply.code(own === undefined ? defaultStatus : checkStatus(own))
    if (context.headers !== undefined) setHeaders(reply, context.headers)
    if (isFile && !isNothing) return sendFile(reply, context.result)
    // LB3: an answer that leads elsewhere has no type; pinned by users/confirm-redirect.
    if (isNothing && isRedirect(reply)) return reply.send()
    const chosen = chooseRepresentation(request, options)
    const { representation } = chosen
    if (isNothing) return sendNothing(reply, operation, representation)
    if (representation.kind === 'none') return sendNotAcceptable(reply, representation)
    if (context.page !== undefined) list?.tell(request, reply, context)
    if (tagging?.tagsResult(request, reply, context, representation.kind)) return sendNothingNew(reply)
    if (sendMinimal?.(request, reply, context)) return reply
    const write = () => toText(context.result, representation)
    return writeWithin(bounds, write, (text) =>
      tagging?.tagsText(request, reply, text) ? sendNothingNew(reply) : sendText(reply, chosen, text)
    )
  }
}

function sendNothing(reply: FastifyReply, { model }: Operation, representation: Representation): FastifyReply {
  if (model.registry.rules.typesEmptyAnswers) void reply.header('content-type', emptyType(representation))
  return reply.send()
}

const sendNotAcceptable = (reply: FastifyReply, { contentType }: Representation): FastifyReply =>
  unsniffed(reply).code(406).header('content-type', contentType).send('Not Acceptable')

/** The client has the answer already. */
const sendNothingNew = (reply: FastifyReply): FastifyReply => reply.code(304).send()

function sendText(reply: FastifyReply, { representation, callback }: Answer, text: string): FastifyReply {
  void unsniffed(reply).header('content-type', representation.contentType)
  return reply.send(representation.kind === 'jsonp' ? writeJsonp(cleanCallback(callback) ?? 'callback', text) : text)
}

/** Wraps a result that is itself a date or a buffer. */
const wrapIfBare = (result: unknown): unknown =>
  result instanceof Date || Buffer.isBuffer(result) ? wrapValue(result) : result
