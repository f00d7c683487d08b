import type { Difference } from './compare.ts'
import type { Outcome } from './run-diff.ts'

/** A model, and its path. */
export interface ModelPlace {
  readonly model: string
  readonly path: string
}

/** A request whose responses have a difference, and how often. */
export interface Occurrence {
  readonly outcome: Outcome
  /** The first one. */
  readonly difference: Difference
  readonly times: number
}

/** A group of equal differences: of one kind, in one place of the responses. */
export interface DifferenceGroup {
  readonly kind: Difference['kind']
  /** The place, with `*` for any item of a list. */
  readonly where: string
  /** One for each request. */
  readonly occurrences: readonly Occurrence[]
}

/** The differences of one model, or of one path segment if the models are unknown. */
export interface ModelGroup {
  readonly name: string
  /** Requests that were sent, and how many of them were answered differently. */
  readonly sent: number
  readonly differing: number
  readonly groups: readonly DifferenceGroup[]
}

/** Outcomes by model, the one with the most differing requests first; models without differences come last. */
export function groupOutcomes(outcomes: readonly Outcome[], places: readonly ModelPlace[]): readonly ModelGroup[] {
  const nameOf = namePaths(
    outcomes.map(({ request }) => pathOf(request.path)),
    places
  )
  const byName = groupBy(outcomes, ({ request }) => nameOf(pathOf(request.path)))
  const groups = Array.from(byName, ([name, own]) => ({
    name,
    sent: own.length,
    differing: own.filter(({ differences }) => differences.length > 0).length,
    groups: groupDifferences(own)
  }))
  return groups.toSorted((one, other) => other.differing - one.differing || (one.name < other.name ? -1 : 1))
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')

/** Returns the function that names the group of a path: its model, else the first segment that distinguishes paths. */
function namePaths(paths: readonly string[], places: readonly ModelPlace[]): (path: string) => string {
  const parts = paths.map((path) => path.split('/').filter(Boolean))
  const root = parts[0]?.[0]
  const hasRoot = root !== undefined && parts.every((each) => each[0] === root && each.length > 1)
  // The longest is the one that is meant, where one path is the beginning of another.
  const sorted = places.toSorted((one, other) => other.path.length - one.path.length)
  return (path) => {
    const place = sorted.find((each) => path === each.path || path.startsWith(`${each.path}/`))
    if (place !== undefined) return place.model
    const [first = '', second = ''] = path.split('/').filter(Boolean)
    return hasRoot ? `/${first}/${second}` : `/${first}`
  }
}

function groupDifferences(outcomes: readonly Outcome[]): readonly DifferenceGroup[] {
  const all = outcomes.flatMap((outcome) =>
    Array.from(groupBy(outcome.differences, signatureOf).values(), occurrence(outcome)).flat()
  )
  const groups = groupBy(all, ({ difference }) => signatureOf(difference))
  return Array.from(groups.values(), (occurrences) =>
    occurrences
      .slice(0, 1)
      .map(({ difference }) => ({ kind: difference.kind, where: placeOf(difference), occurrences }))
  )
    .flat()
    .toSorted((one, other) => other.occurrences.length - one.occurrences.length)
}

const occurrence =
  (outcome: Outcome) =>
  (alike: readonly Difference[]): readonly Occurrence[] =>
    alike.slice(0, 1).map((difference) => ({ outcome, difference, times: alike.length }))

const signatureOf = (difference: Difference): string => JSON.stringify([difference.kind, placeOf(difference)])

const placeOf = ({ where }: Difference): string => where.replaceAll(/\/\d+(?=\/|$)/g, '/*')

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
