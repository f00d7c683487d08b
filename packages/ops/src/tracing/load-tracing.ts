import { InvalidOption } from '@modelwire/core/plugin'
import type * as api from '@opentelemetry/api'

/** The package `@opentelemetry/api`. */
export type TracingApi = typeof api

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
