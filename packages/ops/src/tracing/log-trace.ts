import type { Span } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Puts the ids of a request's span into each line that is logged about the request from now on, where the span is recorded.
 * @see OpenTelemetry, trace context in non-OTLP log formats
 */
export function logTrace(span: Span | undefined, request: FastifyRequest, reply: FastifyReply): void {
  if (span?.isRecording() !== true) return
  const { traceId, spanId } = span.spanContext()
  request.log = request.log.child({ trace_id: traceId, span_id: spanId })
  reply.log = request.log
}
