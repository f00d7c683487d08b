import { InvalidFilter } from '@modelwire/core'
import type { KeyPlace, Row } from '@modelwire/core/connector'
import {
  asServer,
  type Call,
  KeySet,
  keyText,
  type ModelType,
  readingWithin,
  type RelatedKeys,
  repository,
  type ResolvedRelation
} from '@modelwire/core/plugin'
import { checkReadsKey, type FilterRights } from './filter-rights.ts'
import { matchesNothing, relationScope } from '../records/relation-scope.ts'
import { askDatabase } from './ask-database.ts'

/** Conditions on the records of one relation. */
export interface RelatedCondition {
  readonly relation: ResolvedRelation
  /** On the related records, free of relations. */
  readonly where: unknown
  readonly call: Call
  /** What the client may see of the related records. */
  readonly rights: FilterRights
  /** The database does not evaluate the condition: the result holds keys. */
  readonly asKeys: boolean
  /**
   * The record that the condition is tested on: related records that it does not lead to are left alone. Undefined:
   * any.
   */
  readonly record: Row | undefined
}

/** Keys of related records, and the property that holds them in the records that are sought. */
interface SoughtKeys {
  readonly from: KeyPlace
  readonly to: KeyPlace
  readonly scope: repository.QueryScope
}

async function keysOf(
  { from, to, scope }: SoughtKeys,
  { where, call, asKeys, rights }: Omit<RelatedCondition, 'relation'>
): Promise<KeySet | RelatedKeys> {
  checkReadsKey(to.model, to.property, rights)
  if (matchesNothing(scope)) return new KeySet([])
  const records = { scope, filter: { where }, call: readingWithin(call), restriction: rights(to.model) }
  const fromDatabase = asKeys ? undefined : await askDatabase(from, to, records)
  if (fromDatabase !== undefined) return fromDatabase
  const rows = await repository.readRows(to.model, records)
  const keys = new Map<string | undefined, unknown>()
  for (const row of rows) keys.set(keyText(row[to.property]), row[to.property])
  keys.delete(undefined)
  return new KeySet([...keys.values()])
}

function refuse({ relation }: RelatedCondition): never {
  throw new InvalidFilter(`${relation.from.name} cannot be filtered by ${relation.name}: it leads to several models`)
}

/** The scope of the records that a relation leads to from any parent, or from `record`, which these name by `to`. */
function scopeOf(
  relation: ResolvedRelation,
  { model, property }: KeyPlace,
  { discriminated, record }: { readonly discriminated: boolean; readonly record?: Row | undefined }
): repository.QueryScope {
  const held = record?.[relation.keyFrom]
  const values: readonly unknown[] = Array.isArray(held) ? held : [held]
  const keyed = record !== undefined
  return relationScope(relation, { model, property, values: keyed ? values : [], discriminated, keyed })
}

/** The discriminator also reveals the model of the record that a key names. */
function checkReadsDiscriminator(model: ModelType, { relation: { discriminator }, rights }: RelatedCondition): void {
  if (discriminator !== undefined) checkReadsKey(model, discriminator.property, rights)
}

/** Declaring records whose key a matching record holds. */
async function whereOfRecords(condition: RelatedCondition, discriminated: boolean): Promise<Row> {
  const { relation } = condition
  const { from, keyFrom, keyTo } = relation
  const model = relation.to ?? refuse(condition)
  if (discriminated) checkReadsDiscriminator(model, condition)
  const to = { model, property: keyTo }
  const scope = scopeOf(relation, to, { discriminated, record: condition.record })
  const sought = { from: { model: from, property: keyFrom }, to, scope }
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
  const { relation, call, rights } = condition
  const { through, to, from, keyFrom, keyTo } = relation
  if (through === undefined || to === undefined) return refuse(condition)
  const between = through.model
  checkReadsKey(between, through.keyTo, rights)
  checkReadsDiscriminator(between, condition)
  const targets = {
    from: { model: between, property: through.keyTo },
    to: { model: to, property: keyTo },
    scope: scopeOf(relation, { model: to, property: keyTo }, { discriminated: false })
  }
  const joined = {
    ...condition,
    where: { [through.keyTo]: await keysOf(targets, { ...condition, asKeys: false }) },
    call: asServer(call)
  }
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const linked = { model: between, property: through.keyFrom }
  const scope = scopeOf(unscoped, linked, { discriminated: true, record: condition.record })
  const links = { from: { model: from, property: keyFrom }, to: linked, scope }
  return { [keyFrom]: await keysOf(links, joined) }
}
