import type { ModelType } from '@modelwire/core/connector'
import { SeedCycle } from '../errors.ts'
import { propertyUnder, type SeedRecord } from './report.ts'
import { referredModels } from './seed-run.ts'

/** Records of one model contain keys of another one. */
interface Edge {
  readonly from: string
  readonly to: string
  /** The property with the key. */
  readonly property: string
  /** Records cannot be stored without the key. */
  readonly required: boolean
}

/** The order in which models are stored. */
export interface SeedOrder {
  /** Names of models; those that others depend on come first. */
  readonly names: readonly string[]
  /** Keys that are set once all records are stored, by model: they refer to records that come later. */
  readonly later: ReadonlyMap<string, ReadonlySet<string>>
}

function edge(model: ModelType, property: string, to: string): Edge {
  const { required = false, id = false } = model.byName.get(property) ?? {}
  return { from: model.name, to, property, required: required || id }
}

function relationEdges(model: ModelType): readonly Edge[] {
  return [...model.registry.relations.of(model).values()].flatMap(({ holdsKey, embeds, to, keyFrom }) =>
    holdsKey === undefined || embeds || to === undefined ? [] : [edge(model, keyFrom, to.name)]
  )
}

function referenceEdges({ model, data }: SeedRecord): readonly Edge[] {
  return Object.entries(data).flatMap(([name, value]) =>
    referredModels(value).map((to) => edge(model, propertyUnder(model, name), to))
  )
}

/** The models that require each other, beginning with `start`. */
function findCycle(start: string, edges: readonly Edge[]): readonly string[] {
  const way: string[] = []
  let at: string | undefined = start
  while (at !== undefined && !way.includes(at)) {
    way.push(at)
    const name: string = at
    at = edges.find(({ from, required }) => from === name && required)?.to
  }
  return at === undefined ? way : [...way.slice(way.indexOf(at)), at]
}

/**
 * Orders models so that those that others refer to come first. If they refer to each other, a key that is not required is
 * set later.
 * @throws {SeedCycle} all keys of a circle are required
 */
export function orderModels(models: readonly ModelType[], records: readonly SeedRecord[]): SeedOrder {
  const names = models.map(({ name }) => name)
  const edges = [...models.flatMap(relationEdges), ...records.flatMap(referenceEdges)].filter(
    ({ from, to }) => from !== to
  )
  const remaining = new Set(names)
  const later = new Map<string, ReadonlySet<string>>()
  const ordered: string[] = []
  const blocking = (name: string): readonly Edge[] => edges.filter(({ from, to }) => from === name && remaining.has(to))
  while (remaining.size > 0) {
    const left = [...remaining]
    const next =
      left.find((name) => blocking(name).length === 0) ??
      left.find((name) => blocking(name).every(({ required }) => !required))
    if (next === undefined)
      throw new SeedCycle(
        findCycle(
          left[0] ?? '',
          edges.filter(({ to }) => remaining.has(to))
        )
      )
    later.set(next, new Set(blocking(next).map(({ property }) => property)))
    remaining.delete(next)
    ordered.push(next)
  }
  return { names: ordered, later }
}
