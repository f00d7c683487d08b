import type { FastifyInstance } from 'fastify'
import { loadTracing } from './load-tracing.ts'
import { traceOperations } from './trace-operations.ts'
import { traceStatements } from './trace-statements.ts'

/**
 * Traces operations and their statements by OpenTelemetry.
 * @param share of the requests that belong to no trace yet, from 0 to 1
 * @throws {InvalidOption} its API is not installed
 */
export async function traceServer(app: FastifyInstance, share: number): Promise<void> {
  const api = await loadTracing()
  const tracing = { api, tracer: api.trace.getTracer('@modelwire/ops'), share }
  traceOperations(app, tracing)
  traceStatements(app, tracing)
}
