import type { RouteEntry, RouteTable } from './route-table.ts'
import type { DifferenceKind, NotCompared, Sample } from './route-evidence.ts'

/** One route with its owner and its evidence. */
export interface RouteReport {
  readonly name: string
  readonly endpoints: readonly string[]
  readonly reads: boolean
  readonly owner: string
  readonly since: string
  readonly cause: string
  readonly held: boolean
  readonly answered: { readonly old: number; readonly new: number }
  readonly compared: number
  readonly equal: number
  readonly equalInRow: number
  readonly different: number
  readonly notCompared: Readonly<Record<NotCompared, number>>
  readonly serverErrors: number
}

/** All routes. */
export interface StateReport {
  readonly old: string
  readonly started: string
  readonly routes: readonly RouteReport[]
}

/** The differences between responses, and the latest differing ones. */
export interface DifferenceReport {
  readonly groups: readonly (DifferenceKind & { readonly route: string })[]
  /** The latest first. */
  readonly latest: readonly Sample[]
}

function describeRoute({ since, evidence, name, endpoints, reads, owner, cause, held }: RouteEntry): RouteReport {
  const { answered, equal, equalInRow, different, notCompared, serverErrors } = evidence
  const compared = equal + different
  const counts = { answered, compared, equal, equalInRow, different, notCompared, serverErrors }
  return { name, endpoints, reads, owner, since: since.toISOString(), cause, held, ...counts }
}

/** The routes of a table with their evidence so far. */
export function describeState({ entries }: RouteTable, old: URL, started: Date): StateReport {
  return { old: old.href, started: started.toISOString(), routes: entries.map(describeRoute) }
}

/** The differences of all routes, by route, kind and place. */
export function describeDifferences({ entries }: RouteTable): DifferenceReport {
  const groups = entries.flatMap(({ name, evidence }) => evidence.kinds.map((group) => ({ route: name, ...group })))
  const latest = entries.flatMap(({ evidence }) => evidence.samples)
  return { groups, latest: latest.toSorted((one, other) => (one.at < other.at ? 1 : -1)) }
}
