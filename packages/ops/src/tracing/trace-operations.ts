import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type NamedOperation, operationIn, operationOf } from '../operation-of.ts'
import type { TracingApi } from './load-api.ts'

/** The context of the span of each request: bodies arrive outside of it. */
const contextKey: unique symbol = Symbol('@modelwire/ops context')

type TracedRequest = FastifyRequest & { [contextKey]?: Context }

/** What `@fastify/otel` adds to requests. */
interface InstrumentedRequest {
  readonly opentelemetry?: () => { readonly span: Span | null; readonly context: Context | null }
}

interface Tracing {
  readonly api: TracingApi
  readonly tracer: Tracer
}

/** Names and facts of the spans of an operation. */
interface SpanFacts {
  readonly name: string
  readonly attributes: Attributes
}

const factsOf = (operation: NamedOperation): SpanFacts => ({
  name: `${operation.model.name}.${operation.name}`,
  attributes: { 'modelwire.model': operation.model.name, 'modelwire.operation': operation.name }
})

/** Names the span that `@fastify/otel` made for a request; undefined where it made none. */
function nameExisting(request: FastifyRequest, { name, attributes }: SpanFacts): Context | undefined {
  const { span, context } = (request as InstrumentedRequest).opentelemetry?.() ?? {}
  if (!span || !context) return undefined
  if (span.isRecording()) span.updateName(name).setAttributes(attributes)
  return context
}

/** Ends a span with what became of the request, also where its client left. */
function endWithAnswer({ api }: Tracing, span: Span, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const { statusCode, raw } = reply
    if (raw.writableFinished) span.setAttribute('http.response.status_code', statusCode)
    if (!raw.writableFinished || statusCode >= 500) {
      span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.setAttribute('error.type', raw.writableFinished ? String(statusCode) : 'aborted')
    }
    span.end()
  })
}

/** Begins the span of a request: the child of one that is there, such as that of Node's HTTP, or of the client's. */
function begin(tracing: Tracing, { request, reply }: { request: FastifyRequest; reply: FastifyReply }, facts: SpanFacts): Context {
  const { api, tracer } = tracing
  const active = api.context.active()
  const isInner = api.trace.getSpanContext(active) !== undefined
  const parent = isInner ? active : api.propagation.extract(active, request.headers)
  const { method, routeOptions } = request
  const attributes: Attributes = { 'http.request.method': method, ...facts.attributes }
  if (routeOptions.url !== undefined) attributes['http.route'] = routeOptions.url
  const kind = isInner ? api.SpanKind.INTERNAL : api.SpanKind.SERVER
  const span = tracer.startSpan(facts.name, { kind, attributes }, parent)
  if (span.isRecording()) endWithAnswer(tracing, span, reply)
  return api.trace.setSpan(parent, span)
}

type Step = (this: unknown, request: FastifyRequest, ...rest: unknown[]) => unknown

/** A function of a route that runs in the context of the request's span, also where a body was read before. */
function withinSpan({ context }: TracingApi, step: Step): Step {
  return function (request, ...rest) {
    const own = (request as TracedRequest)[contextKey]
    if (own === undefined || context.active() === own) return step.call(this, request, ...rest)
    return context.with(own, () => step.call(this, request, ...rest))
  }
}

const steps = ['preValidation', 'preHandler', 'handler'] as const

/** Makes the functions of a route run in the context of the request's span. */
function followRoute(api: TracingApi, route: RouteOptions): void {
  const wrap = (step: unknown): unknown => (typeof step === 'function' ? withinSpan(api, step as Step) : step) // as Fastify calls it
  for (const name of steps) {
    const written: unknown = route[name]
    if (written !== undefined) Reflect.set(route, name, Array.isArray(written) ? written.map(wrap) : wrap(written))
  }
}

/** Gives each request to an operation a span with its name, and has what it calls run within it. */
export function traceOperations(app: FastifyInstance, tracing: Tracing): void {
  const { api } = tracing
  const known = new Map<NamedOperation, SpanFacts>()
  app.addHook('onRoute', (route) => {
    const operation = operationIn(route.config)
    if (operation === undefined) return
    known.set(operation, factsOf(operation))
    followRoute(api, route)
  })
  app.addHook('onRequest', (request: TracedRequest, reply, done) => {
    const operation = operationOf(request)
    const facts = operation && known.get(operation)
    if (facts === undefined) return done()
    const own = nameExisting(request, facts) ?? begin(tracing, { request, reply }, facts)
    request[contextKey] = own
    if (api.context.active() === own) done()
    else api.context.with(own, done)
  })
}
