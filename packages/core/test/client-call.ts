import { Client } from '#src/caller/caller.ts'
import type { Call } from '#src/contract/call.ts'
import { defaultQueryLimits, type QueryLimits } from '#src/limits/limits.ts'

/** A call on behalf of a client whom nobody keeps from any record. */
export function clientCall(limits: QueryLimits = defaultQueryLimits): Call {
  return { options: {}, client: new Client(undefined, undefined, limits) }
}
