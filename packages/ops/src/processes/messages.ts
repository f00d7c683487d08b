import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** All metrics of a process, as prom-client writes them for others. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Marks the messages of this package among those of a cluster. */
export const channel = '@modelwire/ops'

/** What a process tells the first one. */
export type FromProcess =
  | { readonly channel: typeof channel; readonly kind: 'here' }
  | { readonly channel: typeof channel; readonly kind: 'ask'; readonly id: number }
  | {
      readonly channel: typeof channel
      readonly kind: 'metrics'
      readonly id: number
      readonly metrics: ProcessMetrics
    }

/** What the first process tells another one. */
export type FromPrimary =
  | { readonly channel: typeof channel; readonly kind: 'noted' }
  | { readonly channel: typeof channel; readonly kind: 'give'; readonly id: number }
  | {
      readonly channel: typeof channel
      readonly kind: 'all'
      readonly id: number
      readonly all: readonly ProcessMetrics[]
    }

const isOurs = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'channel' in message && message.channel === channel

/** True for what a process tells the first one. */
export const isFromProcess = (message: unknown): message is FromProcess => isOurs(message)

/** True for what the first process tells another one. */
export const isFromPrimary = (message: unknown): message is FromPrimary => isOurs(message)
