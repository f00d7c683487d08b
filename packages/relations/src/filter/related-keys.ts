import { InvalidFilter } from '@modelwire/core'
import {
  compileCondition,
  type KeyPlace,
  type Row,
  type Condition,
  keyText,
  type ModelType,
  type RelatedCount
} from '@modelwire/core/connector'
import {
  asServer,
  type Call,
  KeySet,
  readingWithin,
  RelatedKeys,
  repository,
  type ResolvedRelation,
  logicalKeys
} from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { checkReadsKey, type FilterRights } from './filter-rights.ts'
import { matchesNothing, relationScope } from '../records/relation-scope.ts'

/** The records whose keys are needed. */
type SoughtRecords = repository.Query

/** Conditions on the records of one relation. */
export interface RelatedCondition {
  readonly relation: ResolvedRelation
  /** The condition on the related records, without relations. */
  readonly where: unknown
  readonly call: Call
  /** What the client may see of the related records. */
  readonly rights: FilterRights
  /** The condition is not evaluated by the database: the result must contain keys. */
  readonly asKeys: boolean
  /** The record that the condition is tested on: only its related records are read. Undefined: any. */
  readonly record: Row | undefined
  /** On the number of these related records; undefined: there must be one. */
  readonly having?: Condition | undefined
}

/** Keys of related records, and the property that contains them in the declaring records. */
interface SoughtKeys {
  readonly from: KeyPlace
  readonly to: KeyPlace
  readonly scope: repository.QueryScope
}

async function keysOf(
  { from, to, scope }: SoughtKeys,
  { where, call, asKeys, rights }: Omit<RelatedCondition, 'relation'>,
  count?: RelatedCount
): Promise<KeyGroups | RelatedKeys> {
  checkReadsKey(to.model, to.property, rights)
  if (matchesNothing(scope)) return new Map()
  const records = { scope, filter: { where }, call: readingWithin(call), restriction: rights(to.model) }
  const fromDatabase = asKeys ? undefined : await askDatabase(from, to, records, count)
  if (fromDatabase !== undefined) return fromDatabase
  return groupByKey(await repository.readRows(to.model, records), to.property, count?.distinct)
}

/** The records that were found, by the text of their key. */
type KeyGroups = ReadonlyMap<string, { readonly key: unknown; readonly count: number }>

function groupByKey(rows: readonly Row[], property: string, distinct: string | undefined): KeyGroups {
  const groups = new Map<string, { key: unknown; count: number }>()
  const seen = new Set<string>()
  for (const row of rows) {
    const key = row[property]
    const text = keyText(key)
    if (text === undefined) continue
    const group = groups.get(text) ?? { key, count: 0 }
    groups.set(text, group)
    const same = distinct === undefined ? undefined : `${text.length} ${text} ${keyText(row[distinct])}`
    if (same !== undefined && seen.has(same)) continue
    if (same !== undefined) seen.add(same)
    group.count++
  }
  return groups
}

const keySet = (found: KeyGroups | RelatedKeys): KeySet | RelatedKeys =>
  found instanceof RelatedKeys ? found : new KeySet([...found.values()].map(({ key }) => key))

/** The condition for records whose key was found, often enough. */
function whereOfKeys(property: string, found: KeyGroups | RelatedKeys, count: RelatedCount | undefined): Row {
  if (count === undefined || found instanceof RelatedKeys) return { [property]: keySet(found) }
  const { matches } = compileCondition(count.having)
  // Records that nothing refers to are found by no key.
  const holdsForNone = matches({ count: 0 })
  const keys = [...found.values()].filter((group) => matches({ count: group.count }) !== holdsForNone)
  const where = { [property]: new KeySet(keys.map(({ key }) => key)) }
  return holdsForNone ? { nor: [where] } : where
}

function refuse({ relation }: RelatedCondition): never {
  throw new InvalidFilter(`${relation.from.name} cannot be filtered by ${relation.name}: it refers to several models`)
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
  const count = condition.having && { having: condition.having }
  const found = await keysOf(sought, condition, count)
  // Keys that were read say nothing of how many of them a list holds.
  if (relation.holdsKey === 'list' && count !== undefined && !(found instanceof RelatedKeys))
    throw new InvalidFilter(`${from.name} cannot be filtered by the number of ${relation.name}: use some or none`)
  return whereOfKeys(keyFrom, found, count)
}

/** The condition for declaring records whose key is that of a matching record, or whose list of keys contains it. */
export async function whereOfTarget(condition: RelatedCondition): Promise<Row> {
  return whereOfRecords(condition, false)
}

/** The condition for declaring records whose key a matching record of the other model contains. */
export async function whereOfChildren(condition: RelatedCondition): Promise<Row> {
  return whereOfRecords(condition, true)
}

/** The condition for declaring records that a third model links to a matching record. */
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
    where: { [through.keyTo]: keySet(await keysOf(targets, { ...condition, asKeys: false })) },
    call: asServer(call)
  }
  const unscoped = { ...relation, settings: { ...relation.settings, scope: undefined } }
  const linked = { model: between, property: through.keyFrom }
  const scope = scopeOf(unscoped, linked, { discriminated: true, record: condition.record })
  const links = { from: { model: from, property: keyFrom }, to: linked, scope }
  const distinct = from.registry.rules.listsEachLink ? undefined : through.keyTo
  const count = condition.having && { having: condition.having, distinct }
  return whereOfKeys(keyFrom, await keysOf(links, joined, count), count)
}

function below(property: string, where: unknown): Row {
  if (!isPlainObject(where)) return { [property]: where }
  const entries = Object.entries(where).map(([key, value]) => {
    const isList = logicalKeys.has(key) && Array.isArray(value)
    return isList
      ? ([key, value.map((part) => below(property, part))] as const)
      : ([`${property}.${key}`, value] as const)
  })
  return Object.fromEntries(entries)
}

/** The condition for declaring records with matching embedded parts: several conditions may each match a different part. */
export async function whereOfEmbedded({ relation, where }: RelatedCondition): Promise<Row> {
  return below(relation.keyFrom, where)
}

/**
 * The keys in related records, as a condition that the database evaluates together with the one on the declaring records;
 * undefined if observers or access rules decide which records these are, or the database does not support it.
 * @throws {InvalidFilter} the condition on the related records is malformed
 */
export async function askDatabase(
  from: KeyPlace,
  to: KeyPlace,
  records: SoughtRecords,
  count?: RelatedCount
): Promise<RelatedKeys | undefined> {
  const { dataSource } = to.model
  const { relates, operations } = dataSource?.connector.capabilities ?? {}
  const isOne = dataSource === from.model.dataSource && operations?.has('find') === true
  // Observers of `access` see the condition.
  if (!isOne || relates === undefined || from.model.hooks.has('access')) return undefined
  const filter = repository.filterOf(to.model, records)
  if (filter === undefined) return undefined
  const { where, limit, skip, fields, include } = filter
  // A page holds some of the records that match, a record without its key is found by none, and an include may be refused.
  const isWhole = limit === undefined && skip === 0 && fields?.has(to.property) !== false && !include
  if (!isWhole || !isDeclared(to.model, where)) return undefined
  return (await relates(from, to)) ? new RelatedKeys(to.model, to.property, where, count) : undefined
}

/** What is not declared may have no place in the database. */
function isDeclared(model: ModelType, where: Condition | undefined): boolean {
  if (where === undefined) return true
  if (where.kind === 'test') return model.byName.has(where.path[0] ?? '')
  return !('conditions' in where) || where.conditions.every((part) => isDeclared(model, part))
}
