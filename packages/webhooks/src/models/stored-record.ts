import type { Instance } from '@modelwire/core'

/** A record of one of these models. */
export type StoredRecord = Instance<Record<string, unknown>>
