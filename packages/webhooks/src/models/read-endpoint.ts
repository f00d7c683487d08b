import type { Instance } from '@modelwire/core'

/** A record of one of these models. */
export type StoredRecord = Instance<Record<string, unknown>>

/** A delivery as stored. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  readonly payload: string
  readonly attempts: number
  /** Attempts before the current round. */
  readonly firstAttempt: number
  readonly state: string
  readonly nextAttemptAt: Date
  /** Equal for deliveries about one record that wait for each other; undefined for others. */
  readonly orderKey: string | undefined
}

/** An endpoint as stored. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  /** Empty: all models. */
  readonly models: readonly string[]
  /** Empty: all kinds. */
  readonly kinds: readonly string[]
  readonly condition: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
  /** Deliveries about one record wait for each other. */
  readonly ordered: boolean
  /** Encrypted, like the previous one. */
  readonly secret: string | undefined
  readonly previousSecret: string | undefined
  readonly previousSecretUntil: Date | undefined
  readonly userId: string | number | undefined
  readonly userModel: string | undefined
  readonly failingSince: Date | undefined
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const dateIn = (value: unknown): Date | undefined => (value instanceof Date ? value : undefined)

/** The strings of a list; empty if it is not a list. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** The object in a property; undefined if it is not an object. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { ...value } : undefined
}

/** The headers in a property that was checked when it was stored. */
function headersIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectIn(value) ?? {}).map(([name, text]) => [name, String(text)]))
}

/** Ids of some databases are objects. One that is there is never read as none: an endpoint without a user receives everything. */
function idIn(value: unknown): string | number | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'number' ? value : String(value)
}

/** An endpoint from its record. */
export function readEndpoint(record: StoredRecord): Endpoint {
  const row = record.toObject()
  return {
    id: String(record.getId()),
    url: textIn(row['url']) ?? '',
    models: textsIn(row['models']),
    kinds: textsIn(row['kinds']),
    condition: objectIn(row['condition']),
    headers: headersIn(row['headers']),
    enabled: row['enabled'] === true,
    ordered: row['ordered'] === true,
    secret: textIn(row['secret']),
    previousSecret: textIn(row['previousSecret']),
    previousSecretUntil: dateIn(row['previousSecretUntil']),
    userId: idIn(row['userId']),
    userModel: textIn(row['userModel']),
    failingSince: dateIn(row['failingSince'])
  }
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
