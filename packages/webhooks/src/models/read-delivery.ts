import type { StoredRecord } from './stored-record.ts'

/** A delivery as it is stored. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  readonly payload: string
  readonly attempts: number
  /** Attempts before the current round of them. */
  readonly firstAttempt: number
  readonly state: string
  readonly nextAttemptAt: Date
  /** The same for deliveries about one record that wait for each other; undefined for those that do not. */
  readonly orderKey: string | undefined
}

/** A delivery from its record. */
export function readDelivery(record: StoredRecord): Delivery {
  const { endpointId, payload, attempts, firstAttempt, state, nextAttemptAt, orderKey } = record
  return {
    id: String(record.getId()),
    endpointId: String(endpointId),
    payload: String(payload),
    attempts: Number(attempts ?? 0),
    firstAttempt: Number(firstAttempt ?? 0),
    state: String(state),
    nextAttemptAt: nextAttemptAt instanceof Date ? nextAttemptAt : new Date(0),
    orderKey: typeof orderKey === 'string' ? orderKey : undefined
  }
}
