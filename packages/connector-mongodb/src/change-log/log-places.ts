import type { Document, Timestamp } from 'mongodb'

/** A resume token of the server. Its text sorts in the order of changes. */
export interface LogToken extends Document {
  readonly _data: string
}

/** The place of an entry in the log of the server. */
export interface LogPlace {
  readonly token: LogToken
  /**
   * Set if the place is within the change of the token: several models share the record, and only some of their entries
   * come before it.
   */
  readonly within?: { readonly passed: number; readonly time: Timestamp } | undefined
}

/** Orders two tokens. @see https://www.mongodb.com/docs/manual/changeStreams/#resume-tokens, hex-encoded tokens */
export function compareTokens({ _data: one }: LogToken, { _data: other }: LogToken): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Orders two places. */
export function comparePlaces(one: LogPlace, other: LogPlace): number {
  const passed = ({ within }: LogPlace): number => within?.passed ?? Number.MAX_SAFE_INTEGER
  return compareTokens(one.token, other.token) || passed(one) - passed(other)
}

/** The token in a response of the server; undefined for anything else. */
export function readToken(value: unknown): LogToken | undefined {
  if (typeof value !== 'object' || value === null || !('_data' in value)) return undefined
  const { _data: data } = value
  return typeof data === 'string' ? { ...value, _data: data } : undefined
}
