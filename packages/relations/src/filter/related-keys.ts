import { InvalidFilter, KeySet, type ModelType, repository, type Row } from '@modelwire/core'
import { relationScope } from '../records/relation-scope.ts'
import { keyText } from '../records/same-key.ts'
import type { Relation } from '../relation.ts'

/** Conditions on the records of one relation. */
export interface RelatedCondition {
  readonly relation: Relation
  /** On the related records, free of relations. */
  readonly where: unknown
  readonly options: Record<string, unknown>
}

const everything: repository.QueryScope = { filter: { order: [], skip: 0 }, wire: () => ({}) }

async function keysOf(
  model: ModelType,
  property: string,
  { where, options }: Pick<RelatedCondition, 'where' | 'options'>,
  scope: repository.QueryScope = everything
): Promise<unknown[]> {
  const shielded = {
    ...options,
    prohibitProtectedPropertiesInQuery: options['prohibitHiddenPropertiesInQuery'] === true
  }
  const { rows } = await repository.queryUnder(model, { scope, filter: { where }, options: shielded }, true)
  const keys = new Map<string, unknown>()
  for (const row of rows) keys.set(keyText(row[property]) ?? '', row[property])
  keys.delete('')
  return [...keys.values()]
}

function refuse({ relation }: RelatedCondition): never {
  throw new InvalidFilter(`${relation.from.name} cannot be filtered by ${relation.name}: it leads to several models`)
}

/** The scope of the records that a relation leads to from any parent. */
function scopeOfAll(relation: Relation, model: ModelType, discriminated: boolean): repository.QueryScope {
  return relationScope(relation, { model, property: relation.keyTo, values: [], discriminated, keyed: false })
}

/** Declaring records whose key is that of a matching record; a list of keys holds one of them. */
export async function whereOfTarget(condition: RelatedCondition): Promise<Row> {
  const { relation } = condition
  const model = relation.to ?? refuse(condition)
  return {
    [relation.keyFrom]: new KeySet(await keysOf(model, relation.keyTo, condition, scopeOfAll(relation, model, false)))
  }
}

/** Declaring records whose key a matching record holds. */
export async function whereOfChildren(condition: RelatedCondition): Promise<Row> {
  const { relation } = condition
  const model = relation.to ?? refuse(condition)
  return {
    [relation.keyFrom]: new KeySet(await keysOf(model, relation.keyTo, condition, scopeOfAll(relation, model, true)))
  }
}

/** Declaring records that a third model joins to a matching record. */
export async function whereOfLinked(condition: RelatedCondition): Promise<Row> {
  const { relation, options } = condition
  const { through, to } = relation
  if (through === undefined || to === undefined) return refuse(condition)
  const targets = await keysOf(to, relation.keyTo, condition, scopeOfAll(relation, to, false))
  const joined = {
    where: { [through.keyTo]: new KeySet(targets) },
    options: { ...options, prohibitHiddenPropertiesInQuery: false }
  }
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const keys = await keysOf(through.model, through.keyFrom, joined, scopeOfAll(unscoped, through.model, true))
  return { [relation.keyFrom]: new KeySet(keys) }
}
