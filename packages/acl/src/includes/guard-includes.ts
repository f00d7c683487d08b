import {
  Found,
  type IncludeLoader,
  type ModelRegistry,
  type ModelType,
  type OperationContext,
  type Principal
} from '@modelwire/core'
import { IncludeDenied } from '../errors.ts'
import { principalOf } from '../identity/principal-of.ts'
import { includedRelations } from './included-relations.ts'

/** Whether a caller may read records of a model: all of them, or the one with this id. */
export type MayRead = (model: ModelType, principal: Principal | undefined, id?: unknown) => Promise<boolean>

type Options = OperationContext['options']

/** What clients ask for, as opposed to code of the application, comes with this option. */
const isClients = (options: Options): boolean => options['prohibitHiddenPropertiesInQuery'] === true

/** The records of one relation, as a loader gives them for one row. */
function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (value instanceof Found) return value.rows
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  // Related records are objects with their properties by name.
  return list.filter((item) => typeof item === 'object' && item !== null) as readonly Readonly<
    Record<string, unknown>
  >[]
}

async function mayReadEach(
  target: ModelType,
  values: readonly unknown[],
  principal: Principal | undefined,
  mayRead: MayRead
): Promise<boolean> {
  const idName = target.idProperty?.name ?? 'id'
  const ids = new Set(values.flatMap(recordsIn).map((record) => record[idName]))
  for (const id of ids) if (id === undefined || !(await mayRead(target, principal, id))) return false
  return true
}

/**
 * Puts access rules before the loader of related records: a caller who may not list the records of the related model has to
 * be allowed to read each one that would be shown.
 * @throws {IncludeDenied} (the loader) the caller may not see them
 */
export function guardIncludes(registry: ModelRegistry, mayRead: MayRead): void {
  const load = registry.includeLoader
  if (load === undefined) return
  const guarded: IncludeLoader = async (request) => {
    const related = await load(request)
    const { model, include, options } = request
    if (!isClients(options)) return related
    const principal = principalOf(options['accessToken'])
    for (const name of includedRelations(include)) {
      const target = targetOf(registry, model, name)
      if (target === undefined || (await mayRead(target, principal))) continue
      const values = related.map((record) => record[name])
      if (!(await mayReadEach(target, values, principal, mayRead)))
        throw new IncludeDenied(`${name} may not be included by this caller`)
    }
    return related
  }
  registry.includeLoader = guarded
}

function targetOf(registry: ModelRegistry, model: ModelType, relation: string): ModelType | undefined {
  const name = model.definition.relations?.[relation]?.model
  return name === undefined ? undefined : registry.find(name)
}
