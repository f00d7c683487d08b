import type { FastifyInstance } from 'fastify'
import { traceOperations } from './trace-operations.ts'
import type { Tracer } from '@opentelemetry/api'
import { InvalidOption } from '@modelwire/server'
import type * as api from '@opentelemetry/api'

/** The package `@opentelemetry/api`. */
export type TracingApi = typeof api

/**
 * Traces operations and their statements with OpenTelemetry.
 * @param share of the requests that belong to no trace yet, from 0 to 1
 * @throws {InvalidOption} its API is not installed
 */
export async function traceServer(app: FastifyInstance, share: number): Promise<void> {
  const api = await loadTracing()
  const tracing = { api, tracer: api.trace.getTracer('@modelwire/ops'), share }
  traceOperations(app, tracing)
  traceStatements(app, tracing)
}

/** What names the failure without its message, which may hold values: the code of the database, or the class. */
function errorType(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  if (typeof code === 'string' || typeof code === 'number') return String(code)
  return error instanceof Error ? error.name : '_OTHER'
}

/**
 * Gives each statement a span, the child of what its caller does at the time. Statements of callers whose spans are not recorded have none.
 * Neither their text nor their values are in it.
 * @see OpenTelemetry semantic conventions for database client spans
 */
function traceStatements(
  { models }: Pick<FastifyInstance, 'models'>,
  { api, tracer }: { readonly api: TracingApi; readonly tracer: Tracer }
): void {
  const { context, SpanKind, SpanStatusCode, trace } = api
  models.statements.listen(({ name, connector }, { verb, start, duration, error }) => {
    if (trace.getActiveSpan()?.isRecording() !== true) return
    const attributes = { 'db.system.name': connector.name, 'db.operation.name': verb, 'modelwire.data_source': name }
    // Times as `performance.now()` has them are understood.
    const options = { kind: SpanKind.CLIENT, startTime: start, attributes }
    const span = tracer.startSpan(`${verb} ${name}`, options, context.active())
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType(error))
    span.end(start + duration)
  })
}

/** Loads the API of OpenTelemetry. @throws {InvalidOption} it is not installed */
export async function loadTracing(
  load: () => Promise<TracingApi> = async () => import('@opentelemetry/api')
): Promise<TracingApi> {
  try {
    return await load()
  } catch (cause) {
    throw new InvalidOption('the package @opentelemetry/api is not installed', { key: 'ops.tracing' }, { cause })
  }
}
