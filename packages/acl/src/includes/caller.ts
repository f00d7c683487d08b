import { originOf, type Principal } from '@modelwire/core'
import { principalOf } from '../identity/principal-of.ts'

/** Whose reading is at hand. */
export interface Caller {
  readonly principal: Principal | undefined
  readonly accessToken: unknown
  /** The same for all that belongs to one request of somebody who is known. */
  readonly request: object
}

/** Finds the caller in the options of a call: whom the request named, else whom the token of a call that code makes stands for. */
export function callerIn(options: Readonly<Record<string, unknown>>): Caller {
  const { accessToken } = options
  const origin = originOf(options)
  return { principal: origin?.principal ?? principalOf(accessToken), accessToken, request: origin ?? {} }
}
