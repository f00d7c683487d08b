import { Client } from '#src/caller/client.ts'
import type { Call } from '#src/contract/call.ts'
import type { QueryLimits } from '#src/index.ts'
import { defaultQueryLimits } from '#src/limits/query-limits.ts'

/** A call on behalf of a client whom nobody keeps from any record. */
export function clientCall(limits: QueryLimits = defaultQueryLimits): Call {
  return { options: {}, client: new Client(undefined, undefined, limits) }
}
