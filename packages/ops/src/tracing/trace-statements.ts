import type { FastifyInstance } from 'fastify'
import type { Tracer } from '@opentelemetry/api'
import type { TracingApi } from './load-tracing.ts'

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
export function traceStatements(
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
