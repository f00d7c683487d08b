import type { FastifyInstance } from 'fastify'
import { loadTracing } from './load-tracing.ts'
import { traceOperations } from './trace-operations.ts'
import { traceStatements } from './trace-statements.ts'

/** Traces operations and their statements by OpenTelemetry. @throws {InvalidOption} its API is not installed */
export async function traceServer(app: FastifyInstance): Promise<void> {
  const api = await loadTracing()
  const tracing = { api, tracer: api.trace.getTracer('@modelwire/ops') }
  traceOperations(app, tracing)
  traceStatements(app, tracing)
}
