import type { ResolvedRelation } from '../contract/relation.ts'
import type { OperationContext } from './operation-context.ts'
import type { Argument, Endpoint, Operation } from './operation.ts'
import type { ModelType } from '../contract/model-type.ts'

/**
 * The effect of an operation on records. `aggregate` computes sums and groups; `patch` changes parts, `replace` whole
 * records, `upsert` changes or creates; `link` and `unlink` join existing records; `call` runs a function with unknown
 * effect.
 */
export type EffectVerb =
  | 'find'
  | 'count'
  | 'aggregate'
  | 'create'
  | 'patch'
  | 'replace'
  | 'upsert'
  | 'delete'
  | 'link'
  | 'unlink'
  | 'stream'
  | 'call'

/** The effect of an operation, as data: use this, never the operation's name. */
export interface Effect {
  readonly verb: EffectVerb
  /** One record, or all that satisfy a condition. */
  readonly subject: 'record' | 'set'
  /** The argument that contains the client's condition on a set. */
  readonly condition?: 'filter' | 'where' | 'options' | undefined
  /**
   * How a call names the record: with the argument `id`, or in the record that it sends. Absent: not at all, or through the
   * relation.
   */
  readonly idIn?: 'path' | 'body' | undefined
  /** An upsert writes whole records: omitted properties get their default. */
  readonly whole?: boolean | undefined
  /** The relation whose related records it addresses. */
  readonly relation?: ResolvedRelation | undefined
  /** LoopBack's name for it among the methods of a relation: `get` of `prototype.__get__books`. */
  readonly method?: string | undefined
  /** The relation of the route's own model that a nested operation follows first. */
  readonly via?: ResolvedRelation | undefined
}

/** Effects that store what the client sends as a record. */
const sending: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['create', 'patch', 'replace', 'upsert'])

const reading: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['find', 'count', 'aggregate', 'stream'])

const querying: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['find', 'count', 'aggregate'])

/** True if a single query yields the result, which includes a client's restriction. */
export const isQuery = ({ verb }: Effect): boolean => querying.has(verb)

/** True if nothing is changed. */
export const isReading = ({ verb }: Effect): boolean => reading.has(verb)

/** True if the data of a call becomes a record, or parts of one. */
export const storesData = ({ verb }: Effect): boolean => sending.has(verb)

/** True if one call changes or deletes any number of records. Embedded parts count as part of their record. */
export const changesMany = ({ verb, subject, relation }: Effect): boolean =>
  subject === 'set' && (verb === 'patch' || verb === 'delete') && relation?.embeds !== true

/** The effect of an application's method: it calls a function, on a record if the path names one. */
export function effectOfMethod(
  onInstance: boolean,
  accepts: readonly Argument[],
  endpoints: readonly Endpoint[]
): Effect {
  const namesRecord = onInstance || accepts.some(({ isId }) => isId) || endpoints.some(hasIdInPath)
  return { verb: 'call', subject: onInstance ? 'record' : 'set', ...(namesRecord && { idIn: 'path' }) }
}

const hasIdInPath = ({ path }: Endpoint): boolean => path.split('/').includes(':id')

/** The model whose id an argument of this name is; undefined where it may be that of any. */
export function identifiedModel({ model, effect: { relation, via } }: Operation, name: string): ModelType | undefined {
  if (name === 'id') return model
  return name === 'fk' ? relation?.to : via?.to
}

/** The id with which a call addresses a related record; undefined if the relation by itself leads to it. */
export function relatedIdOf({ args }: OperationContext): unknown {
  return args['fk']
}

/** The model whose records an operation lists, with pagination; undefined if it is not a list. */
export function listedModel({ model, effect, returns }: Operation): ModelType | undefined {
  // `findOne` is a query of a set, too, but gives no page of it.
  if (!returns.some(({ root, type }) => root && type.kind === 'array')) return undefined
  const { verb, subject, condition, relation } = effect
  if (verb !== 'find' || subject !== 'set' || condition !== 'filter' || relation?.embeds === true) return undefined
  return relation === undefined ? model : relation.to
}
