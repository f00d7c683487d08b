import { ApiError } from '@modelwire/core'
import { checkOptions, isHeader, isPlainObject, rulesOf } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorOptions, ErrorOptionsSchema, type ErrorSettings } from '../options.ts'
import { type ErrorAnswer, errorBody } from './error-body.ts'
import type { ErrorFacts, ErrorRules } from './error-facts.ts'
import { createErrorFormatter, type ErrorFormat, problemType } from './error-format.ts'
import { errorPage } from './error-page.ts'
import { logError } from './log-error.ts'
import { problemDetails } from './problem-details.ts'
import { unsniffed } from './reply-headers.ts'
import { writeAnyJson } from './write-any-json.ts'
import { writeErrorXml } from './write-xml.ts'

/** For Fastify's `setErrorHandler`. Anything may be thrown. */
export type ErrorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => void

type WriteAnswer = (answer: ErrorAnswer, options: Pick<ErrorSettings, 'rootProperty'>) => string

const contentTypes: Readonly<Record<ErrorFormat, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  problem: `${problemType}; charset=utf-8`
}
const writers: Readonly<Record<ErrorFormat, WriteAnswer>> = {
  json: ({ body }) => writeAnyJson(body),
  // LB3: `rootProperty: false` is ignored for XML, which needs a root.
  xml: ({ facts }, { rootProperty }) => writeErrorXml(asData(facts), rootProperty || undefined),
  html: ({ statusCode, facts }) => errorPage(statusCode, facts),
  problem: ({ statusCode, facts }) => writeAnyJson(problemDetails(statusCode, facts))
}

/**
 * Makes the handler that answers errors in JSON, XML, HTML or as problem details. When an answer is under way already, it sends nothing, and
 * closes the connection if that answer is not complete. Version 2 knows JSON only.
 * @param rules those of version 3 when absent
 * @throws {InvalidOption} an option is unknown or malformed
 * @see LoopBack 3: strong-error-handler, lib/handler.js
 */
export function createErrorHandler(options: ErrorOptions = {}, rules: ErrorRules = rulesOf()): ErrorHandler {
  return errorHandler({ ...checkOptions('createErrorHandler', ErrorOptionsSchema, options), rules })
}

/** The options of errors, and the rules they are told by. */
export type HandlingOptions = ErrorSettings & { readonly rules: ErrorRules }

/** The same with options that were checked. */
export function errorHandler(options: HandlingOptions): ErrorHandler {
  const { rules } = options
  const formatOf = rules.showsErrorStatus ? () => 'json' as const : createErrorFormatter(options)
  return (thrown, request, reply) => {
    const answer = errorBody(thrown, options, reply.raw.statusCode)
    if (options.log) logError(thrown, answer, request)
    if (isUnderWay(reply)) return
    const format = formatOf(request.headers.accept, formatParameter(request.query))
    void unsniffed(reply)
      .headers(headersOf(thrown))
      .code(answer.statusCode)
      .header('content-type', contentTypes[format])
      .send(writers[format](answer, options))
  }
}

/** Facts may hold what contains itself, which XML cannot represent. */
function asData(facts: ErrorFacts): ErrorFacts {
  return JSON.parse(writeAnyJson(facts)) as ErrorFacts // facts are an object
}

/** True when an answer was sent, or its head. A client must not take half an answer for the whole. */
function isUnderWay({ sent, raw }: FastifyReply): boolean {
  if (!sent && raw.headersSent) raw.destroy()
  return sent || raw.headersSent
}

/**
 * Headers of a Modelwire error, such as `www-authenticate`; without what cannot be sent, since the error has to be
 * sent.
 */
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
