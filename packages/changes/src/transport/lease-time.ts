import type { HasDefault } from '@modelwire/core/plugin'
import { type TInteger, type TOptional, Type } from '@sinclair/typebox'

/** The setting of a transport that says when the lease of the process which fills a stream runs out. */
export const leaseTimeSetting: TOptional<TInteger & HasDefault> = Type.Optional(
  Type.Integer({
    minimum: 100,
    default: 3000,
    unit: 'ms',
    description: 'milliseconds until another process fills the stream when the one that did so is gone'
  })
)
