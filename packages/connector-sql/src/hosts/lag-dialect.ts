import type { Sql } from '../sql.ts'

/** How a database says how far its replicas are. */
export interface LagDialect {
  /** Gives the `position` of the server that writes: everything that was committed is before it. */
  readonly position: Sql
  /** Gives the `position` that a replica has reached, and a true `copies` where it is a replica. */
  readonly state: Sql
  /** What is before the position `wanted` is in the replica. */
  readonly hasReached: (position: string, wanted: string) => boolean
}
