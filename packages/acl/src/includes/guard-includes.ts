import type { IncludeLoader, ModelRegistry, ModelType, OperationContext } from '@modelwire/core'
import { IncludeDenied } from '../errors.ts'
import { type Caller, callerIn } from './caller.ts'
import { type IncludedRecord, includedRecords, keepIncluded } from './included-records.ts'
import type { ReadRights } from './read-check.ts'

type Options = OperationContext['options']
type Related = Readonly<Record<string, unknown>>

/** What clients ask for, as opposed to code of the application, comes with this option. */
export const isClients = (options: Options): boolean => options['prohibitHiddenPropertiesInQuery'] === true

/** The model that a relation names; undefined where records tell by themselves. */
export function targetOf(registry: ModelRegistry, model: ModelType, relation: string): ModelType | undefined {
  const name = model.definition.relations?.[relation]?.model
  return name === undefined ? undefined : registry.find(name)
}

/** Records by their model. */
function groupByModel(records: readonly IncludedRecord[]): ReadonlyMap<ModelType, readonly IncludedRecord[]> {
  const groups = new Map<ModelType, IncludedRecord[]>()
  for (const record of records) groups.set(record.model, [...(groups.get(record.model) ?? []), record])
  return groups
}

/** What is known of one caller who includes. */
interface Including {
  readonly rights: ReadRights
  readonly caller: Caller
}

/**
 * The records of a relation that a caller does not see; all those of a model are asked about at once.
 * @throws {IncludeDenied} the caller may not see a record of the relation, whichever it is
 */
async function unseenOf(
  relation: string,
  records: readonly IncludedRecord[],
  { rights, caller }: Including
): Promise<ReadonlySet<IncludedRecord>> {
  const unseen = new Set<IncludedRecord>()
  for (const [model, group] of groupByModel(records)) {
    const listing = await rights.listing(model, caller)
    if (listing === 'none' && !(await rights.mayReadEach(model, caller, group)))
      throw new IncludeDenied(`${relation} may not be included by this caller`)
    const seen = typeof listing === 'function' ? await listing(group) : group.map(() => true)
    for (const record of group.filter((_, at) => seen[at] !== true)) unseen.add(record)
  }
  return unseen
}

/** A value without the records that the caller does not see. */
function withoutUnseen(
  value: unknown,
  records: readonly IncludedRecord[],
  unseen: ReadonlySet<IncludedRecord>
): unknown {
  const isShown = records.map((record) => !unseen.has(record))
  return isShown.every(Boolean) ? value : keepIncluded(value, isShown)
}

/** What a caller may see of the related values of some rows. */
async function visibleTo(
  related: readonly Related[],
  otherwise: (relation: string) => ModelType | undefined,
  including: Including
): Promise<readonly Related[]> {
  const visible = related.map((values) => ({ ...values }))
  for (const name of new Set(related.flatMap(Object.keys))) {
    const records = related.map((values) => includedRecords(values[name], otherwise(name)))
    const unseen = await unseenOf(name, records.flat(), including)
    for (const [at, values] of unseen.size === 0 ? [] : visible.entries())
      values[name] = withoutUnseen(values[name], records[at] ?? [], unseen)
  }
  return visible
}

/** True where a caller may list all records of each model. */
async function mayListAll(models: readonly ModelType[], caller: Caller, rights: ReadRights): Promise<boolean> {
  try {
    const listings = await Promise.all(models.map((model) => rights.listing(model, caller)))
    return listings.every((listing) => listing === 'all')
  } catch {
    // Roles that fail are asked again where there are records, and the caller is told.
    return false
  }
}

/**
 * Puts access rules behind the loader of related records: a caller who may not list the records of a related model has to be
 * allowed to read each one that would be shown; one who may list the own records sees those.
 * @throws {IncludeDenied} (the loader) the caller may not see them
 */
export function guardIncludes(registry: ModelRegistry, rights: ReadRights): void {
  const load = registry.includeLoader
  if (load === undefined) return
  const guarded: IncludeLoader = async (request) => {
    const related = await load(request)
    const { model, options } = request
    if (!isClients(options)) return related
    const including = { rights, caller: callerIn(options) }
    return visibleTo(related, (name) => targetOf(registry, model, name), including)
  }
  const showsAll: IncludeLoader['showsAll'] = async (models, options) => {
    if ((await load.showsAll?.(models, options)) === false) return false
    return !isClients(options) || mayListAll(models, callerIn(options), rights)
  }
  registry.includeLoader = Object.assign(guarded, load.plan && { plan: load.plan, showsAll })
}
