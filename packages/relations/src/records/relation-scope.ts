import type { Condition, Filter, Row, ModelType } from '@modelwire/core/connector'
import {
  bothConditions,
  compileScopeFilter,
  keepPerModel,
  mergeFilters,
  type repository,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { keyCondition, keyWhere } from './related-query.ts'

const everything: Filter = { where: undefined, order: [], skip: 0 }
const compiledScopes = keepPerModel<Filter>()

/** The `scope` of a relation as written; a function is called with the parent each time. */
export function writtenScope({ settings }: ResolvedRelation, parent: Row | undefined): Record<string, unknown> {
  const { scope } = settings
  // The application's own function, called as LoopBack calls it.
  const value = typeof scope === 'function' ? (scope as (...args: unknown[]) => unknown)(parent ?? {}, {}) : scope
  return isPlainObject(value) ? value : {}
}

function compiledScope(model: ModelType, scope: Record<string, unknown>): Filter {
  if (Object.keys(scope).length === 0) return everything
  return compiledScopes(scope, model, () => compileScopeFilter(model, scope))
}

/** Keys that related records must have. */
export interface WantedKeys {
  readonly model: ModelType
  readonly property: string
  readonly values: readonly unknown[]
  /** The relation's discriminator is in this model. */
  readonly discriminated: boolean
  /** False if the reader looks up the keys without a condition. Default true. */
  readonly keyed?: boolean
  readonly parent?: Row | undefined
}

function discriminating({ discriminator }: ResolvedRelation, model: ModelType): Condition | undefined {
  if (discriminator?.value === undefined) return undefined
  return keyCondition(model, discriminator.property, [discriminator.value])
}

/** The query scope of the records with the required keys, within the relation's own scope. */
export function relationScope(relation: ResolvedRelation, wanted: WantedKeys): repository.QueryScope {
  const { model, property, values, parent } = wanted
  const scope = writtenScope(relation, parent)
  const key = wanted.keyed === false ? undefined : keyCondition(model, property, values)
  const where = bothConditions(key, wanted.discriminated ? discriminating(relation, model) : undefined)
  const discriminator = wanted.discriminated ? relation.discriminator : undefined
  return {
    filter: mergeFilters(compiledScope(model, scope), { ...everything, where }),
    wire: () => {
      const kind = discriminator?.value === undefined ? {} : { [discriminator.property]: discriminator.value }
      const keys = { ...(wanted.keyed === false ? {} : keyWhere(property, values)), ...kind }
      if (Object.keys(keys).length === 0) return scope
      return { ...scope, where: scope['where'] === undefined ? keys : { and: [keys, scope['where']] } }
    }
  }
}

/** True if the scope matches no record, since there is no key. */
export function matchesNothing({ filter }: repository.QueryScope): boolean {
  const { where } = filter
  return where?.kind === 'never' || (where?.kind === 'and' && where.conditions.some(({ kind }) => kind === 'never'))
}
