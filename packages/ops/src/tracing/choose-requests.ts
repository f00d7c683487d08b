import type { FastifyRequest } from 'fastify'
import type { TracingApi } from './load-tracing.ts'

/** Whether a request is traced. */
export type ChooseRequest = (request: FastifyRequest) => boolean

/** The last flag of a `traceparent`. @see W3C Trace Context, section 3.2.2.5 */
const sampled = /-[0-9a-f][13579bdf]$/

/**
 * Makes the function that chooses the requests which are traced. One that belongs to a trace is in it as that says; of the others a
 * share begins one, decided before there is a span: asking the SDK costs more than a quick answer.
 * @param isWithin the request has a span already, such as that of `@fastify/otel`
 */
export function chooseRequests({ trace }: TracingApi, share: number, isWithin: ChooseRequest): ChooseRequest {
  if (share === 1) return () => true
  return (request) => {
    const { traceparent } = request.headers
    if (typeof traceparent === 'string') return sampled.test(traceparent)
    return Math.random() < share || isWithin(request) || trace.getActiveSpan() !== undefined
  }
}
