import { type Call, Client, defaultQueryLimits, type QueryLimits } from '#src/index.ts'

/** A call on behalf of a client whom nobody keeps from any record. */
export function clientCall(limits: QueryLimits = defaultQueryLimits): Call {
  return { options: {}, client: new Client(undefined, undefined, limits) }
}
