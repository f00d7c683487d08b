import { type Found, isPlainObject, type Model, repository, type Row } from '@modelwire/core'
import { ownData } from '../records/child-data.ts'
import { refuseList } from '../records/list-not-allowed.ts'
import { filterOf, type NamedScope, scopeOf } from './named-scope.ts'

type Options = Record<string, unknown>

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The values that a scope's `where` fixes: new records get them, whatever the caller sends. */
function fixedValues(where: unknown): Row {
  if (!isPlainObject(where)) return {}
  const parts = Object.entries(where).map(([key, value]): Row => {
    if (key === 'and') return Object.assign({}, ...asList(value).map(fixedValues)) as Row // of rows a row is made
    return typeof value === 'object' || key === 'or' || key === 'nor' ? {} : { [key]: value }
  })
  return Object.assign({}, ...parts) as Row // as above
}

function wireOf(scope: NamedScope, where: unknown): Record<string, unknown> {
  const parts = [filterOf(scope)['where'], where].filter((part) => part !== undefined && part !== null)
  return { and: parts }
}

/** A record that is not stored, with the values of the scope. */
export function buildInScope(scope: NamedScope, data: unknown): Model {
  return repository.draftInstance(scope.model, dataOf(scope, data))
}

function dataOf(scope: NamedScope, data: unknown): Row {
  return { ...ownData(scope.model, data), ...fixedValues(filterOf(scope)['where']) }
}

/** Stores a record with the values of the scope. */
export async function createInScope(scope: NamedScope, data: unknown, options: Options): Promise<Model> {
  await refuseList(scope.model, data, options)
  return repository.create(scope.model, dataOf(scope, data), options)
}

/** The records of a scope that match. */
export function findInScope(scope: NamedScope, filter: unknown, options: Options): Promise<Model[]> {
  return repository.findUnder(scope.model, { scope: scopeOf(scope), filter, options })
}

/** The same for an answer. */
export function findRowsInScope(scope: NamedScope, filter: unknown, options: Options): Promise<Found | Model[]> {
  return repository.findRowsUnder(scope.model, { scope: scopeOf(scope), filter, options })
}

/** How many records of a scope match; its `limit` does not count. */
export function countInScope(scope: NamedScope, where: unknown, options: Options): Promise<number> {
  return repository.countUnder(scope.model, { scope: scopeOf(scope), filter: where, options })
}

/** Deletes the records of a scope that match. LB3: its `limit` and `order` do not count, pinned by relations/scopes. */
export function destroyInScope(scope: NamedScope, where: unknown, options: Options): Promise<{ count: number }> {
  return repository.destroyAll(scope.model, wireOf(scope, where), trusted(options))
}

/** Changes the records of a scope that match. */
export function updateInScope(
  scope: NamedScope,
  where: unknown,
  data: unknown,
  options: Options
): Promise<{ count: number }> {
  return repository.updateAll(scope.model, wireOf(scope, where), data, trusted(options))
}

/** The scope's own conditions may name what clients must not. */
const trusted = (options: Options): Options => ({ ...options, prohibitHiddenPropertiesInQuery: false })
