import type { Model } from '@modelwire/core'
import type { Row } from '@modelwire/core/connector'
import {
  acceptedCall,
  type Call,
  type PartedRecords,
  type Records,
  repository,
  restrictionFor,
  TrustedWhere
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { ownData, refuseList } from '../records/child-data.ts'
import { filterOf, type NamedScope, scopeOf } from './named-scope.ts'

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
  const { where: own } = filterOf(scope)
  // The scope's own conditions may name what clients must not.
  const parts = [isPlainObject(own) ? new TrustedWhere(own) : undefined, where]
  return { and: parts.filter((part) => part !== undefined && part !== null) }
}

/** A query in a scope with the rights of the caller. */
async function queryIn(scope: NamedScope, filter: unknown, call: Call): Promise<repository.Query> {
  return { scope: scopeOf(scope), filter, call, restriction: await restrictionFor(scope.model, call, 'find') }
}

/** A record that is not stored, with the values of the scope. */
export function buildInScope(scope: NamedScope, data: unknown): Model {
  return repository.draftInstance(scope.model, dataOf(scope, data))
}

function dataOf(scope: NamedScope, data: unknown): Row {
  return { ...ownData(scope.model, data), ...fixedValues(filterOf(scope)['where']) }
}

/** Stores a record with the values of the scope. */
export async function createInScope(scope: NamedScope, data: unknown, call: Call): Promise<Model> {
  await refuseList(scope.model, data, call)
  const restriction = await restrictionFor(scope.model, call, 'create')
  const accepted = repository.acceptNew(scope.model, data, { call, restriction })
  return repository.create(scope.model, dataOf(scope, accepted), acceptedCall(call))
}

/** The records of a scope that match. */
export async function findInScope(scope: NamedScope, filter: unknown, call: Call): Promise<Records> {
  return repository.readRecords(scope.model, { ...(await queryIn(scope, filter, call)), isList: true })
}

/** Like `findInScope`, for a response: records are read part by part, if the call takes them so. */
export async function listScope(scope: NamedScope, filter: unknown, call: Call): Promise<Records | PartedRecords> {
  return repository.readList(scope.model, { ...(await queryIn(scope, filter, call)), isList: true })
}

/** The number of records of a scope that match; its `limit` is ignored. */
export async function countInScope(scope: NamedScope, where: unknown, call: Call): Promise<number> {
  return repository.countRecords(scope.model, await queryIn(scope, where, call))
}

/** Deletes the records of a scope that match. LB3: its `limit` and `order` are ignored, pinned by relations/scopes. */
export function destroyInScope(scope: NamedScope, where: unknown, call: Call): Promise<{ count: number }> {
  return repository.destroyAll(scope.model, wireOf(scope, where), call)
}

/** Changes the records of a scope that match. */
export function updateInScope(
  scope: NamedScope,
  where: unknown,
  data: unknown,
  call: Call
): Promise<{ count: number }> {
  return repository.updateAll(scope.model, wireOf(scope, where), data, call)
}
