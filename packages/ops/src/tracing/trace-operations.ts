import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest, onErrorHookHandler, RouteOptions } from 'fastify'
import { operationIn } from '../operation-in.ts'
import type { TracingApi } from './trace-server.ts'

/** Whether a request is traced. */
type ChooseRequest = (request: FastifyRequest) => boolean

/** The last flag of a `traceparent`. @see W3C Trace Context, section 3.2.2.5 */
const sampled = /-[0-9a-f][13579bdf]$/

/** The API of OpenTelemetry, and the tracer. */
export interface Tracing {
  readonly api: TracingApi
  readonly tracer: Tracer
  /** Fraction of the requests without a trace that start one, from 0 to 1. */
  readonly share: number
}

/** The context of the span of each request: bodies arrive outside of it. */
const contextKey: unique symbol = Symbol('@modelwire/ops context')
/** The facts of spans among the settings of a route. */
const factsKey: unique symbol = Symbol('@modelwire/ops span')

type TracedRequest = FastifyRequest & { [contextKey]?: Context | undefined }

/** The property that `@fastify/otel` adds to requests. */
interface InstrumentedRequest {
  readonly opentelemetry?: () => { readonly span: Span | null; readonly context: Context | null }
}

/** The common options of all spans of a route. */
interface SpanFacts {
  readonly name: string
  /** For a span within that of Node's HTTP. */
  readonly inner: SpanOptions
  /** For a span that is the first in this process. */
  readonly outer: SpanOptions
}

/** Names the span that `@fastify/otel` made for a request; undefined where it made none. */
function nameExisting(request: FastifyRequest, { name, inner }: SpanFacts): Context | undefined {
  // A method of the request where that plugin is registered.
  const { span, context } = (request as InstrumentedRequest).opentelemetry?.() ?? {}
  if (!span || !context) return undefined
  if (span.isRecording()) span.updateName(name).setAttributes(inner.attributes ?? {})
  return context
}

/** `@fastify/otel` puts the message of an error into the span: it may hold values. */
function hideMessages({ SpanStatusCode }: TracingApi, route: RouteOptions): void {
  const hide: onErrorHookHandler = (request, _reply, _error, done) => {
    // A method of the request where that plugin is registered.
    ;(request as InstrumentedRequest).opentelemetry?.().span?.setStatus({ code: SpanStatusCode.ERROR })
    done()
  }
  route.onError = [...[route.onError ?? []].flat(), hide]
}

/** Ends a span with what became of the request, also where its client left. */
function endWithAnswer({ SpanStatusCode }: TracingApi, span: Span, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const { statusCode, raw } = reply
    const isWhole = raw.writableEnded
    if (isWhole) span.setAttribute('http.response.status_code', statusCode)
    if (!isWhole || statusCode >= 500)
      span
        .setStatus({ code: SpanStatusCode.ERROR })
        .setAttribute('error.type', isWhole ? String(statusCode) : 'aborted')
    span.end()
  })
}

/** Begins the span of a request: within one that is there, such as that of Node's HTTP, or that of the client. */
function begin({ api, tracer }: Tracing, request: FastifyRequest, reply: FastifyReply, facts: SpanFacts): Context {
  const active = api.context.active()
  const isInner = api.trace.getSpanContext(active) !== undefined
  const parent = isInner ? active : api.propagation.extract(active, request.headers)
  const span = tracer.startSpan(facts.name, isInner ? facts.inner : facts.outer, parent)
  if (span.isRecording()) endWithAnswer(api, span, reply)
  return api.trace.setSpan(parent, span)
}

type Step = (this: unknown, request: FastifyRequest, ...rest: unknown[]) => unknown

/** A function of a route that runs in the context of the request's span. */
function withinSpan({ context }: TracingApi, step: Step): Step {
  return function (request, ...rest) {
    const own = (request as TracedRequest)[contextKey] // decorated below
    if (own === undefined || context.active() === own) return step.call(this, request, ...rest)
    return context.with(own, () => step.call(this, request, ...rest))
  }
}

const steps = ['preValidation', 'preHandler', 'handler'] as const

/** Makes the functions of a route run in the context of the request's span where a body was read before. */
function followBody(api: TracingApi, route: RouteOptions): void {
  // As Fastify calls it.
  const wrap = (step: unknown): unknown => (typeof step === 'function' ? withinSpan(api, step as Step) : step)
  for (const name of steps) {
    const written: unknown = route[name]
    if (written !== undefined) Reflect.set(route, name, Array.isArray(written) ? written.map(wrap) : wrap(written))
  }
}

function factsOf({ SpanKind }: TracingApi, { method, url, config }: RouteOptions): SpanFacts | undefined {
  const operation = operationIn(config)
  if (operation === undefined) return undefined
  const attributes = {
    'http.request.method': [method].flat().join(','),
    'http.route': url,
    'modelwire.model': operation.model.name,
    'modelwire.operation': operation.name
  }
  return {
    name: `${operation.model.name}.${operation.name}`,
    inner: { kind: SpanKind.INTERNAL, attributes },
    outer: { kind: SpanKind.SERVER, attributes }
  }
}

const readsBody = ({ method }: RouteOptions): boolean => ![method].flat().every((verb) => /^(?:GET|HEAD)$/.test(verb))

// A method of the request where that plugin is registered.
const isInstrumented = (request: FastifyRequest): boolean =>
  (request as InstrumentedRequest).opentelemetry !== undefined

/** Creates a span for each request to an operation, and runs the operation within it. */
export function traceOperations(app: FastifyInstance, tracing: Tracing): void {
  const { api } = tracing
  const isChosen = chooseRequests(api, tracing.share, isInstrumented)
  app.decorateRequest(contextKey, undefined)
  app.addHook('onRoute', (route) => {
    const facts = factsOf(api, route)
    if (facts === undefined) return
    route.config = Object.assign({}, route.config, { [factsKey]: facts })
    if (readsBody(route)) followBody(api, route)
    if (app.hasRequestDecorator('opentelemetry')) hideMessages(api, route)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!isChosen(request)) return done()
    // `onRoute` put it there.
    const { [factsKey]: facts } = request.routeOptions.config as { readonly [factsKey]?: SpanFacts }
    if (facts === undefined) return done()
    const own = nameExisting(request, facts) ?? begin(tracing, request, reply, facts)
    // Decorated above.
    ;(request as TracedRequest)[contextKey] = own
    logTrace(api.trace.getSpan(own), request, reply)
    if (api.context.active() === own) done()
    else api.context.with(own, done)
  })
}

/**
 * Makes the function that chooses the requests which are traced. One that belongs to a trace is in it as that says; of the others a
 * share begins one, decided before there is a span: asking the SDK costs more than a quick answer.
 * @param isWithin the request has a span already, such as that of `@fastify/otel`
 */
function chooseRequests({ trace }: TracingApi, share: number, isWithin: ChooseRequest): ChooseRequest {
  if (share === 1) return () => true
  return (request) => {
    const { traceparent } = request.headers
    if (typeof traceparent === 'string') return sampled.test(traceparent)
    return Math.random() < share || isWithin(request) || trace.getActiveSpan() !== undefined
  }
}

/**
 * Puts the ids of a request's span into each line that is logged about the request from now on, where the span is recorded.
 * @see OpenTelemetry, trace context in non-OTLP log formats
 */
function logTrace(span: Span | undefined, request: FastifyRequest, reply: FastifyReply): void {
  if (span?.isRecording() !== true) return
  const { traceId, spanId } = span.spanContext()
  request.log = request.log.child({ trace_id: traceId, span_id: spanId })
  reply.log = request.log
}
