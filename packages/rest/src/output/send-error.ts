import { ApiError, type ModelRegistry } from '@modelwire/core'
import { rulesOf, methodString } from '@modelwire/core/plugin'
import { checkOptions, isHeader, isPlainObject } from '@modelwire/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadQuery } from '../input/read-query.ts'
import { type ErrorFunction, type ErrorOptions, ErrorOptionsSchema, type ErrorSettings } from '../options.ts'
import { type ErrorAnswer, errorBody, type ErrorFacts, type ErrorRules, phraseOf } from './error-body.ts'
import { createErrorFormatter, type ErrorFormat, problemType, wantsProblems } from './error-format.ts'
import { responseOf, unsniffed } from './reply-headers.ts'
import { writeAnyJson, textOf } from './write-any-json.ts'
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
 * Makes the handler that returns errors in JSON, XML, HTML or as problem details. If a response is already in progress, it
 * sends nothing, and closes the connection if that response is incomplete. Version 2 only supports JSON.
 * @param rules those of version 3 when absent
 * @throws {InvalidOption} an option is unknown or malformed
 * @see LoopBack 3: strong-error-handler, lib/handler.js
 */
export function createErrorHandler(options: ErrorOptions = {}, rules: ErrorRules = rulesOf()): ErrorHandler {
  return errorHandler({ ...checkOptions('createErrorHandler', ErrorOptionsSchema, options), rules })
}

/** The options of errors, and the rules for reporting them. */
export type HandlingOptions = ErrorSettings & { readonly rules: ErrorRules }

/** The same with validated options. */
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

/**
 * Lets a function of the application handle errors first. What it passes on, throws or rejects with is sent by `send`;
 * another error passed to `next` replaces the first one.
 * @see LoopBack 3: strong-remoting, lib/rest-adapter.js, `errorHandler.handler`
 */
export function delegateToHandler(
  handler: ErrorFunction,
  send: ErrorHandler,
  { registry, readQuery }: { readonly registry: ModelRegistry; readonly readQuery: ReadQuery }
): ErrorHandler {
  return (thrown, request, reply) => {
    let isAnswered = false
    const next = (other?: unknown): void => {
      if (isAnswered) return
      isAnswered = true
      send(other ?? thrown, request, reply)
    }
    const handle = async (): Promise<void> => {
      try {
        const { scriptObjects } = registry
        const exchange = { request, reply, call: request.operationContext, readQuery }
        const response = responseOf(reply)
        const req = scriptObjects?.request(exchange) ?? request.raw
        await handler(thrown, req, scriptObjects?.response(exchange) ?? response, next)
      } catch (error) {
        next(error)
      }
    }
    void handle()
  }
}

/** An error as text. */
export interface ToldError {
  readonly statusCode: number
  readonly contentType: string
  readonly text: string
}

/** How the errors of one API are returned. */
export interface ErrorAnswers {
  readonly send: ErrorHandler
  /** Formats an error within a JSON response, as problem details if `accept` asks for them. */
  readonly tell: (thrown: unknown, accept: string | undefined) => ToldError
  /** The facts of an error for clients. */
  readonly factsOf: (thrown: unknown) => ErrorFacts
}

/** Makes the functions other than `send`. */
export function errorAnswers(options: HandlingOptions, send: ErrorHandler): ErrorAnswers {
  const tellsProblems = options.negotiateContentType && !options.rules.showsErrorStatus
  return {
    send,
    tell(thrown, accept) {
      const answer = errorBody(thrown, options)
      const format = tellsProblems && wantsProblems(accept) ? 'problem' : 'json'
      return {
        statusCode: answer.statusCode,
        contentType: contentTypes[format],
        text: writers[format](answer, options)
      }
    },
    factsOf: (thrown) => errorBody(thrown, options).facts
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

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

const style = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:12vh auto;padding:0 1.5rem}',
  'h1{font-size:1.5rem;font-weight:600;margin:0 0 .5rem}',
  'p{margin:0 0 1rem;overflow-wrap:anywhere}',
  'code{opacity:.7}',
  'pre{font-size:.8rem;padding:1rem;overflow:auto;border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:6px}'
].join('')

/**
 * A page that shows an error to a person. It only shows the contents of `facts`, so a stack only with `debug`. Loads
 * nothing and runs no script.
 */
export function errorPage(statusCode: number, facts: ErrorFacts): string {
  const { name, message, code, details, stack } = facts
  const title = `${statusCode} ${phraseOf(statusCode)}`
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    paragraph(name === undefined || name === 'Error' ? message : `${textOf(name)}: ${textOf(message ?? '')}`),
    code === undefined ? '' : `<p><code>${escapeHtml(code)}</code></p>`,
    details === undefined ? '' : block(writeAnyJson(details, 2)),
    stack === undefined ? '' : block(stack)
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${parts.filter(Boolean).join('\n')}
</body>
</html>
`
}

function paragraph(text: unknown): string {
  return text === undefined || text === '' ? '' : `<p>${escapeHtml(text)}</p>`
}

function block(text: unknown): string {
  return `<pre>${escapeHtml(text)}</pre>`
}

function escapeHtml(text: unknown): string {
  return textOf(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/**
 * Logs an error with the request's logger: one of the server with everything it has, one of the client in a line
 * without a stack. Both name the method that was called, where the request reached one.
 */
function logError(thrown: unknown, { statusCode }: ErrorAnswer, request: FastifyRequest): void {
  const method = methodOf(request)
  if (statusCode >= 500) request.log.error({ err: thrown, statusCode, method }, 'the request failed')
  else request.log.info({ statusCode, method, reason: reasonOf(thrown) }, 'the request was refused')
}

/** `Product.find`; undefined, which the log leaves out, for a path without a method. */
function methodOf({ routeOptions }: FastifyRequest): string | undefined {
  const operation = routeOptions?.config?.operation
  return operation === undefined ? undefined : methodString(operation)
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? `${textOf(thrown.name)}: ${textOf(thrown.message)}` : textOf(thrown)
}

/**
 * An error as problem details: `type` is `about:blank`, `title` the phrase of the status and `detail` the message. `code`, `name`,
 * `details` and whatever else `facts` has are extension members.
 * @see RFC 9457 sections 3.1 and 3.2
 */
function problemDetails(status: number, facts: ErrorFacts): ErrorFacts {
  const { statusCode: _, message, ...extensions } = facts
  const standard = { type: 'about:blank', title: phraseOf(status), status, detail: message }
  return { ...standard, ...extensions, ...standard }
}
