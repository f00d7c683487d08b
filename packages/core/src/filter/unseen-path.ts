import type { ModelType } from '../contract/model-type.ts'
import { HiddenPropertyInFilter } from '../errors.ts'
import { embeddedModel } from '../model/embedded-model.ts'

/** What a caller may see of records, and thus use in a query. */
export interface Sight {
  /** Hidden properties may not be used. */
  readonly refusesHidden: boolean
  /** Nor may protected ones. */
  readonly refusesProtected?: boolean
}

/** True where the caller may not see a property. */
function isUnseen(model: ModelType, name: string, sight: Sight): boolean {
  if (sight.refusesHidden && model.hidden.has(name)) return true
  return sight.refusesProtected === true && model.protected.has(name)
}

/** Records within others show neither what their model hides nor what it protects. */
const asWithin = ({ refusesHidden }: Sight): Sight => ({
  refusesHidden,
  refusesProtected: refusesHidden
})

/** True where records of a model within others do not show all that is stored of them. */
function hidesSome(model: ModelType, above: readonly ModelType[] = []): boolean {
  if (model.hidden.size > 0 || model.protected.size > 0) return true
  if (above.includes(model)) return false
  return [...model.embedded.keys()].some((name) => {
    const inner = embeddedModel(model, name)
    return inner !== undefined && hidesSome(inner, [...above, model])
  })
}

/**
 * The part of a path that the caller may not see, in the record itself or in embedded records; undefined if there is none.
 * @param asWhole values at the end of the path are compared: those of records reveal all their properties
 */
export function unseenIn(
  model: ModelType,
  path: readonly string[],
  sight: Sight,
  asWhole: boolean
): string | undefined {
  const [first = '', ...rest] = path
  if (isUnseen(model, first, sight)) return first
  const inner = sight.refusesHidden ? embeddedModel(model, first) : undefined
  if (inner === undefined) return undefined
  const steps = rest.filter((step) => !/^\d+$/.test(step))
  if (steps.length === 0) return asWhole && hidesSome(inner) ? first : undefined
  const unseen = unseenIn(inner, steps, asWithin(sight), asWhole)
  return unseen && `${first}.${unseen}`
}

/** What a query does with a property, for the error message. */
type Use = 'filtered' | 'ordered' | 'grouped or summed'

/**
 * Throws for a path to something that the caller may not see, however a query uses it.
 * @throws {HiddenPropertyInFilter}
 */
export function refuseUnseen(model: ModelType, path: readonly string[], sight: Sight, use: Use, asWhole = true): void {
  const unseen = unseenIn(model, path, sight, asWhole)
  if (unseen !== undefined) throw new HiddenPropertyInFilter(`${model.name} cannot be ${use} by ${unseen}`)
}
