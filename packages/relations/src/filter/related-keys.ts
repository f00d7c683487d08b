import {
  InvalidFilter,
  type KeyPlace,
  KeySet,
  type ModelType,
  type RelatedKeys,
  repository,
  type Row
} from '@modelwire/core'
import { relationScope } from '../records/relation-scope.ts'
import { keyText } from '../records/same-key.ts'
import type { Relation } from '../relation.ts'
import { askDatabase } from './ask-database.ts'

/** Conditions on the records of one relation. */
export interface RelatedCondition {
  readonly relation: Relation
  /** On the related records, free of relations. */
  readonly where: unknown
  readonly options: Record<string, unknown>
  /** It is not the database that tells them: what comes out holds keys. */
  readonly asKeys: boolean
}

/** Keys of related records, and the property that holds them in the records that are sought. */
interface SoughtKeys {
  readonly from: KeyPlace
  readonly to: KeyPlace
  readonly scope: repository.QueryScope
}

async function keysOf(
  { from, to, scope }: SoughtKeys,
  { where, options, asKeys }: Omit<RelatedCondition, 'relation'>
): Promise<KeySet | RelatedKeys> {
  const shielded = {
    ...options,
    prohibitProtectedPropertiesInQuery: options['prohibitHiddenPropertiesInQuery'] === true
  }
  const records = { scope, filter: { where }, options: shielded }
  const asked = asKeys ? undefined : await askDatabase(from, to, records)
  if (asked !== undefined) return asked
  const { rows } = await repository.queryUnder(to.model, records, true)
  const keys = new Map<string | undefined, unknown>()
  for (const row of rows) keys.set(keyText(row[to.property]), row[to.property])
  keys.delete(undefined)
  return new KeySet([...keys.values()])
}

function refuse({ relation }: RelatedCondition): never {
  throw new InvalidFilter(`${relation.from.name} cannot be filtered by ${relation.name}: it leads to several models`)
}

/** The scope of the records that a relation leads to from any parent. */
function scopeOfAll(relation: Relation, model: ModelType, discriminated: boolean): repository.QueryScope {
  return relationScope(relation, { model, property: relation.keyTo, values: [], discriminated, keyed: false })
}

/** Declaring records whose key a matching record holds. */
async function whereOfRecords(condition: RelatedCondition, discriminated: boolean): Promise<Row> {
  const { relation } = condition
  const { from, keyFrom, keyTo } = relation
  const model = relation.to ?? refuse(condition)
  const sought = {
    from: { model: from, property: keyFrom },
    to: { model, property: keyTo },
    scope: scopeOfAll(relation, model, discriminated)
  }
  return { [keyFrom]: await keysOf(sought, condition) }
}

/** Declaring records whose key is that of a matching record; a list of keys holds one of them. */
export async function whereOfTarget(condition: RelatedCondition): Promise<Row> {
  return whereOfRecords(condition, false)
}

/** Declaring records whose key a matching record of the other model holds. */
export async function whereOfChildren(condition: RelatedCondition): Promise<Row> {
  return whereOfRecords(condition, true)
}

/** Declaring records that a third model joins to a matching record. */
export async function whereOfLinked(condition: RelatedCondition): Promise<Row> {
  const { relation, options } = condition
  const { through, to, from, keyFrom, keyTo } = relation
  if (through === undefined || to === undefined) return refuse(condition)
  const between = through.model
  const targets = {
    from: { model: between, property: through.keyTo },
    to: { model: to, property: keyTo },
    scope: scopeOfAll(relation, to, false)
  }
  const joined = {
    ...condition,
    where: { [through.keyTo]: await keysOf(targets, { ...condition, asKeys: false }) },
    options: { ...options, prohibitHiddenPropertiesInQuery: false }
  }
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const links = {
    from: { model: from, property: keyFrom },
    to: { model: between, property: through.keyFrom },
    scope: scopeOfAll(unscoped, between, true)
  }
  return { [keyFrom]: await keysOf(links, joined) }
}
