/** The ports of the cluster, all on 127.0.0.1. */
export interface Ports {
  /** Where clients call: HAProxy. */
  readonly api: number
  /** HAProxy's page of its servers. */
  readonly statistics: number
  /** Of each process of the application, and of its probes. */
  readonly processes: readonly { readonly api: number; readonly probes: number }[]
  readonly databases: readonly [number, number]
  readonly redis: number
  readonly receiver: number
}

/** Processes of the application. */
export const processCount = 3

/** The ports from `first` on: 20 of them are taken. */
export function portsFrom(first: number): Ports {
  const processes = Array.from({ length: processCount }, (_, at) => ({ api: first + 2 + at, probes: first + 6 + at }))
  return {
    api: first,
    statistics: first + 1,
    processes,
    databases: [first + 11, first + 12],
    redis: first + 14,
    receiver: first + 15
  }
}
