/** What a part of an application is: answers about health have the parts of each kind by their names. */
export type HealthKind = 'dataSources' | 'sharedState' | 'changeTransports'

/** Finds out whether something that a server depends on can be used. */
export interface HealthCheck {
  readonly kind: HealthKind
  /** Another one than those of the same kind. */
  readonly name: string
  /** Rejects unless it can be used. */
  readonly check: () => Promise<void>
}
