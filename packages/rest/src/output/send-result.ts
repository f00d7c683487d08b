import { Readable } from 'node:stream'
import { type CompiledOperation, storesData, type Operation } from '@modelwire/core/plugin'
import type { AnswerBounds } from '@modelwire/core/connector'
import { checkHeader, checkStatus } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadQuery } from '../input/read-query.ts'
import { writeWithin } from './answer-size.ts'
import type { RestSettings } from '../options.ts'
import { unsniffed } from './reply-headers.ts'
import type { Negotiator, Representation } from './negotiate-type.ts'
import type { Serializers } from './serialize-value.ts'
import { cleanCallback, writeJsonp } from './write-any-json.ts'
import { writeXml } from './write-xml.ts'
import type { OperationContext } from '@modelwire/core'
import { successStatus } from './success-status.ts'

/** Sends the result of one operation. Other requests are served while a long one is written. */
export type SendResult = (request: FastifyRequest, reply: FastifyReply, context: OperationContext) => Promise<void>

/** LoopBack's form of a date or a buffer that is itself a return value. */
interface WrappedValue {
  readonly $type: 'date' | 'base64'
  readonly $data: string
}

/** The options of sending any result. */
export interface SendingOptions {
  readonly readQuery: ReadQuery
  readonly negotiate: Negotiator
  readonly serializers: Serializers
  /** The maximum size of a response. */
  readonly bounds: AnswerBounds
  readonly settings: Pick<RestSettings, 'createdStatus'>
}

/** A result that is about to be sent. */
export interface Answer {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly context: OperationContext
  /** The kind of the representation. */
  readonly kind: Representation['kind']
  readonly contentType: string
  /** The function that a JSONP client names. */
  readonly callback: unknown
}

/** Steps before a result is sent. Each function returns true if it has responded itself. */
export interface AnswerSteps {
  readonly beforeWriting?: ((answer: Answer) => boolean) | undefined
  /** Receives the text of the result. */
  readonly beforeSending?: ((answer: Answer, text: string) => boolean) | undefined
}

/** The requested representation; the query is only read where it can choose one. */
export function negotiated(
  request: FastifyRequest,
  { negotiate, readQuery }: Pick<SendingOptions, 'negotiate' | 'readQuery'>
): Pick<Answer, 'kind' | 'contentType' | 'callback'> {
  const { url = '' } = request.raw
  const mayNameFormat = url.includes('_format') || url.includes('callback')
  const query = mayNameFormat ? readQuery(request) : undefined
  const callback = query?.['callback']
  const { kind, contentType } = negotiate(request.headers.accept, query?.['_format'], callback)
  return { kind, contentType, callback }
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
function emptyType({ kind, contentType }: Answer): string {
  if (kind === 'none') return jsonType
  return contentType.startsWith('application/xml') ? 'application/xml' : contentType
}

/** LB3: texts are sent in UTF-8, whatever type a method named for them. */
const inUtf8 = (type: unknown): string => `${String(type).replace(/;\s*charset=[^;]*/i, '')}; charset=utf-8`

/** Sends bytes, a text or a stream as it is, whatever the client accepts. LB3: as JSON unless the method named a type. */
function sendFile(reply: FastifyReply, file: unknown): void {
  const isContent = typeof file === 'string' || Buffer.isBuffer(file) || file instanceof Readable
  if (!isContent) throw new TypeError('a method that returns a file must return a buffer, a string or a stream')
  if (!reply.hasHeader('content-type')) void reply.header('content-type', jsonType)
  if (typeof file === 'string') void reply.header('content-type', inUtf8(reply.getHeader('content-type')))
  void unsniffed(reply).send(file)
}

/** LB3: what a hook makes the result of a method that returns nothing is sent. */
const statusOf = (operation: Operation, { createdStatus }: SendingOptions['settings']): number =>
  operation.returns.length === 0 ? (operation.status ?? 200) : successStatus(operation, createdStatus)

/** Compiles the function that sends an operation's results. */
export function compileSending(
  { operation, plainResult }: CompiledOperation,
  options: SendingOptions,
  steps: readonly AnswerSteps[]
): SendResult {
  const { serializers, settings } = options
  const isRoot = operation.returns.some(({ root }) => root)
  const isFile = operation.returns.some(({ type, target }) => type.kind === 'file' && target === undefined)
  const status = statusOf(operation, settings)
  // What a client stores is bounded by its request: an answer that was refused would hide that it is stored.
  const bounds = storesData(operation.effect) ? undefined : options.bounds
  const whole = steps.flatMap(({ beforeWriting }) => beforeWriting ?? [])
  const written = steps.flatMap(({ beforeSending }) => beforeSending ?? [])
  const wrap = plainResult ? wrapIfBare : (result: unknown): unknown => wrapResult(result, isRoot)
  const toText = async ({ context: { result }, kind }: Answer): Promise<string> =>
    kind === 'xml'
      ? writeXml(serializers.toPlain(result, bounds))
      : ((await serializers.toJsonInParts(wrap(result), bounds)) ?? '{}')

  return async (request, reply, context) => {
    const own = context.status ?? ownStatus(reply)
    const isNothing = context.result === undefined
    const defaultStatus = isNothing && status === 200 ? 204 : status
    reply.code(own === undefined ? defaultStatus : checkStatus(own))
    if (context.headers !== undefined) setHeaders(reply, context.headers)
    if (isFile && !isNothing) return sendFile(reply, context.result)
    // LB3: an answer that leads elsewhere has no type; pinned by users/confirm-redirect.
    if (isNothing && isRedirect(reply)) return void reply.send()
    const answer = { request, reply, context, ...negotiated(request, options) }
    if (isNothing) return sendNothing(answer)
    if (answer.kind === 'none') return sendNotAcceptable(answer)
    for (const hasAnswered of whole) if (hasAnswered(answer)) return
    const text = await writeWithin(bounds, () => toText(answer))
    for (const hasAnswered of written) if (hasAnswered(answer, text)) return
    sendText(answer, text)
  }
}

function sendNothing(answer: Answer): void {
  const { reply, context } = answer
  if (context.operation.model.registry.rules.typesEmptyAnswers) void reply.header('content-type', emptyType(answer))
  void reply.send()
}

const sendNotAcceptable = ({ reply, contentType }: Answer): void =>
  void unsniffed(reply).code(406).header('content-type', contentType).send('Not Acceptable')

function sendText({ reply, kind, contentType, callback }: Answer, text: string): void {
  void unsniffed(reply).header('content-type', contentType)
  void reply.send(kind === 'jsonp' ? writeJsonp(cleanCallback(callback) ?? 'callback', text) : text)
}

/** Wraps a result that is itself a date or a buffer. */
const wrapIfBare = (result: unknown): unknown =>
  result instanceof Date || Buffer.isBuffer(result) ? wrapValue(result) : result

/**
 * Wraps `value`, a return value or one of several, as in JSON responses: dates and buffers are wrapped, everything else is
 * unchanged. Values within objects and lists are never wrapped, nor is anything in XML.
 * @see recording remoting/returns
 */
export function wrapValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return wrapDate(value)
  if (Buffer.isBuffer(value)) return { $type: 'base64', $data: value.toString('base64') } satisfies WrappedValue
  return value
}

function wrapDate(date: Date): WrappedValue | null {
  return Number.isNaN(date.getTime()) ? null : { $type: 'date', $data: date.toISOString() }
}
