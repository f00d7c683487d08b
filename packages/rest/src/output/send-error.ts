import { ApiError } from '@modelwire/core'
import { isHeader, isPlainObject } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorAnswer, errorBody, type ErrorBodyOptions } from './error-body.ts'
import type { ErrorFacts } from './error-facts.ts'
import { createErrorFormatter, type ErrorFormat, type ErrorFormatOptions } from './error-format.ts'
import { errorPage } from './error-page.ts'
import { logError } from './log-error.ts'
import { writeAnyJson } from './write-any-json.ts'
import { writeErrorXml } from './write-xml.ts'

/** How errors are answered and logged: the parameters of LoopBack's strong-error-handler and some of ours. */
export interface ErrorHandlerOptions extends ErrorBodyOptions, ErrorFormatOptions {
  /** Tell the request's log; true when absent. */
  readonly log?: boolean | undefined
}

/** For Fastify's `setErrorHandler`. Anything may be thrown. */
export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

type WriteAnswer = (answer: ErrorAnswer, options: ErrorHandlerOptions) => string

const contentTypes: Readonly<Record<ErrorFormat, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  html: 'text/html; charset=utf-8'
}
const writers: Readonly<Record<ErrorFormat, WriteAnswer>> = {
  json: ({ body }) => writeAnyJson(body),
  // LB3: `rootProperty: false` is ignored for XML, which needs a root.
  xml: ({ facts }, { rootProperty }) => writeErrorXml(asData(facts), rootProperty || undefined),
  html: ({ statusCode, facts }) => errorPage(statusCode, facts)
}

/**
 * Makes the handler that answers errors in JSON, XML or HTML. When an answer is under way already, it sends nothing, and
 * closes the connection if that answer is not complete. Version 2 knows JSON only.
 * @see LoopBack 3: strong-error-handler, lib/handler.js
 */
export function createErrorHandler(options: ErrorHandlerOptions = {}): ErrorHandler {
  const formatOf = createErrorFormatter(options.version === 2 ? { negotiateContentType: false } : options)
  const log = options.log ?? true
  return (thrown, request, reply) => {
    const answer = errorBody(thrown, options)
    if (log) logError(thrown, answer, request)
    if (isUnderWay(reply)) return
    const format = formatOf(request.headers.accept, formatParameter(request.query))
    void reply
      .headers(headersOf(thrown))
      .code(answer.statusCode)
      .header('content-type', contentTypes[format])
      .header('x-content-type-options', 'nosniff')
      .send(writers[format](answer, options))
  }
}

/** Facts may hold what contains itself, which XML cannot tell. */
function asData(facts: ErrorFacts): ErrorFacts {
  return JSON.parse(writeAnyJson(facts)) as ErrorFacts // facts are an object
}

/** True when an answer was sent, or its head. A client must not take half an answer for the whole. */
function isUnderWay({ sent, raw }: FastifyReply): boolean {
  if (!sent && raw.headersSent) raw.destroy()
  return sent || raw.headersSent
}

/** Headers that go with an error of ours, such as `www-authenticate`; without what cannot be sent, since the error has to be told. */
function headersOf(thrown: unknown): Record<string, string> {
  const headers = thrown instanceof ApiError && 'headers' in thrown ? thrown.headers : undefined
  if (!isPlainObject(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && isHeader(name, value) ? [[name, value]] : []
    )
  )
}

function formatParameter(query: unknown): unknown {
  return typeof query === 'object' && query !== null && '_format' in query ? query['_format'] : undefined
}
