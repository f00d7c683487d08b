import type { Model, OperationContext } from '@modelwire/core'
import {
  type AccessControl,
  type AccessQuestion,
  asServer,
  type Client,
  type KeyedRecords,
  relatedIdOf,
  repository,
  type ResolvedRelation,
  type Restriction,
  predefinedMethods,
  type Call,
  type Operation
} from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import type { Awaitable } from '@modelwire/server'
import { checkReadsKeys, readsKeys } from '../records/related-query.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { modelOfParent } from '../records/target-of.ts'
import { relatedOf } from '../related.ts'

type Effect = Operation['effect']

/** True where the effect changes what the record of the route itself holds of the related ones: their keys, or themselves. */
function changesParent({ embeds, holdsKey }: ResolvedRelation, { verb }: Effect): boolean {
  if (verb === 'find' || verb === 'count') return false
  if (embeds) return true
  return holdsKey === 'list' ? verb !== 'patch' : holdsKey === 'one' && verb === 'create'
}

/**
 * Refuses a relation of a record of which the client may not read what joins it to others, or not set it where that is
 * changed.
 * @throws the restriction's error for denied properties
 */
function checkParent(relation: ResolvedRelation, effect: Effect, context: OperationContext): void {
  const { from, keyFrom, holdsKey, discriminator } = relation
  const restriction = context.grant?.restriction
  checkReadsKeys(relation, [keyFrom, holdsKey === 'one' ? discriminator?.property : undefined], restriction)
  if (changesParent(relation, effect))
    repository.checkMaySet(from, keyFrom, { call: context, restriction }, relatedOf(relation, context).parent)
}

/**
 * Refuses what finds related records by properties that the client may not read: whether there are any would reveal the
 * values.
 * @throws the restriction's error for denied properties
 */
function checkTarget(relation: ResolvedRelation, restriction: Restriction | undefined): void {
  checkReadsKeys(relation, keysOfTarget(relation), restriction)
}

function keysOfTarget({ keyTo, holdsKey, through, discriminator }: ResolvedRelation): readonly (string | undefined)[] {
  return [keyTo, holdsKey === undefined && through === undefined ? discriminator?.property : undefined]
}

/** A check of a record that was found through a relation. */
interface FoundBy {
  readonly relation: ResolvedRelation
  readonly control: AccessControl
  readonly question: AccessQuestion
  readonly keyed: KeyedRecords | undefined
}

/**
 * What a client may see of a record that was found by keys. Where it may not read these, the answer is that for a
 * missing record, so that it does not reveal whether there is one.
 * @throws what access control refuses the call with
 */
async function restrictFound(
  { relation, control, question, keyed }: FoundBy,
  readIds: () => Awaitable<readonly unknown[]>
): Promise<Restriction | undefined> {
  const restriction = await control.restrictEach(question, async () => [await readIds()], keyed)
  if (!readsKeys(keysOfTarget(relation), restriction)) await control.restrictEach(question, () => [[]])
  return restriction
}

/** All records that a relation to one leads to, unrestricted. */
async function recordsOfOne(relation: ResolvedRelation, context: OperationContext): Promise<readonly Model[]> {
  const kind = behaviourOf(relation)
  if (kind.many) return []
  const { parent } = relatedOf(relation, context)
  return kind.methods.all({ relation, parent, call: asServer(context) })
}

/** The keys by which related records are found, where these hold them. */
function keyedBy({ through, holdsKey, keyTo, keyFrom }: ResolvedRelation, parent: Model): KeyedRecords | undefined {
  return through === undefined && holdsKey === undefined ? { property: keyTo, values: [parent[keyFrom]] } : undefined
}

/** A call on the related model. */
interface RelatedCall {
  readonly relation: ResolvedRelation
  readonly effect: Effect
  readonly context: OperationContext
  readonly client: Client
  readonly model: ModelType
}

/** A client may read those of its own account, whatever the rules for lists are. */
const keyedRead = ({ relation, effect, context }: RelatedCall): KeyedRecords | undefined =>
  effect.verb === 'find' || effect.verb === 'count' ? keyedBy(relation, relatedOf(relation, context).parent) : undefined

/** True where the path names the related record. */
const namesRecord = ({ subject, verb, idIn }: Effect): boolean =>
  subject !== 'set' && verb !== 'create' && idIn === 'path'

const byEffect = new Map<string, keyof typeof predefinedMethods>()
for (const [name, { effect }] of Object.entries(predefinedMethods)) {
  const key = `${effect.verb} ${effect.subject}`
  // The keys of the table are its names; of several methods that do the same the first is the canonical one.
  if (!byEffect.has(key)) byEffect.set(key, name as keyof typeof predefinedMethods)
}

/**
 * The predefined method that does to records of a model by themselves what an operation of a relation does to related ones.
 * Joining existing records shows them, and changes none of them.
 */
function equivalentMethod({ verb, subject }: Effect): keyof typeof predefinedMethods | undefined {
  if (verb === 'link' || verb === 'unlink') return 'findById'
  return byEffect.get(`${verb} ${subject}`)
}

async function restrictionOf(related: RelatedCall): Promise<Restriction | undefined> {
  const { relation, effect, context, client, model } = related
  const control = model.registry.accessControl
  const method = equivalentMethod(effect)
  if (control === undefined || method === undefined) return undefined
  const question: AccessQuestion = { client, model, method: shortName(method), purpose: 'nested' }
  if (effect.subject === 'set' || effect.verb === 'create') return control.restrict(question, keyedRead(related))
  if (namesRecord(effect)) {
    const id = relatedIdOf(context)
    return control.restrictEach(question, () => [[repository.toId(model, id)]], keyedRead(related))
  }
  const readIds = async (): Promise<readonly unknown[]> =>
    (await recordsOfOne(relation, context)).map((record) => repository.idOf(model, record))
  return restrictFound({ relation, control, question, keyed: keyedRead(related) }, readIds)
}

/**
 * Determines what the client of a call may see or change of a relation's records: by its rights on the record of the route,
 * and the rules of the related model.
 * @throws what access control refuses the call with
 */
export function grantOf(
  relation: ResolvedRelation,
  effect: Effect,
  context: OperationContext
): Awaitable<NonNullable<Call['grant']>> {
  const { client, instance } = context
  // The error for a missing record is thrown when the call runs.
  if (instance === undefined) return { model: relation.to, restriction: undefined }
  checkParent(relation, effect, context)
  const model = modelOfParent(relation, relatedOf(relation, context).parent)
  // Parts of a record have no rules of their own.
  if (
    model === undefined ||
    client === undefined ||
    relation.embeds ||
    relation.from.registry.accessControl === undefined
  )
    return { model, restriction: undefined }
  return grantFor({ relation, effect, context, client, model })
}

/** A related record that a call passes through. */
export interface GrantedBetween {
  /** Undefined if there is none. */
  readonly record: Model | undefined
  readonly grant: NonNullable<Call['grant']> | undefined
}

/**
 * Denies a call through a related record that the client may not read.
 * @param records those that it may be: the first one that the client may read is it
 * @throws what access control refuses the call with
 */
export async function checkBetween(
  relation: ResolvedRelation,
  context: OperationContext,
  records: readonly Model[]
): Promise<GrantedBetween> {
  const { client } = context
  const { parent } = relatedOf(relation, context)
  checkParent(relation, { verb: 'find', subject: 'record' }, context)
  const model = modelOfParent(relation, parent)
  const control = relation.from.registry.accessControl
  if (model === undefined || client === undefined || relation.embeds || control === undefined)
    return { record: records[0], grant: undefined }
  const readIds = (): readonly unknown[] => records.map((record) => repository.idOf(model, record))
  const question: AccessQuestion = { client, model, method: 'findById', purpose: 'nested' }
  const restriction = await restrictFound({ relation, control, question, keyed: keyedBy(relation, parent) }, readIds)
  checkTarget(relation, restriction)
  return { record: await repository.firstWithin(model, records, restriction), grant: { model, restriction } }
}

async function grantFor(related: RelatedCall): Promise<NonNullable<Call['grant']>> {
  const { relation, effect, context, model } = related
  const restriction = await restrictionOf(related)
  if (effect.verb !== 'create') checkTarget(relation, restriction)
  if (namesRecord(effect)) await repository.checkWithin(model, relatedIdOf(context), restriction)
  return { model, restriction }
}
