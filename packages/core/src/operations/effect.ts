import type { ResolvedRelation } from '../contract/resolved-relation.ts'
import type { OperationContext } from './operation-context.ts'
import type { Argument, Endpoint } from './operation.ts'

/**
 * What an operation does with records. `aggregate` sums and groups them; `patch` changes parts, `replace` whole records, `upsert` changes or creates;
 * `link` and `unlink` join existing records; `call` runs a function of which nothing else is known.
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

/** What an operation does, as data: read it here, never from the operation's name. */
export interface Effect {
  readonly verb: EffectVerb
  /** One record, or all that meet a condition. */
  readonly subject: 'record' | 'set'
  /** The argument that holds the client's condition on a set. */
  readonly condition?: 'filter' | 'where' | 'options' | undefined
  /** Where a call names the record: by the argument `id`, or in the record that it sends. Absent: nowhere, or by the relation. */
  readonly idIn?: 'path' | 'body' | undefined
  /** An upsert writes whole records: what the data leaves out gets its default. */
  readonly whole?: boolean | undefined
  /** The relation whose related records it is about. */
  readonly relation?: ResolvedRelation | undefined
  /** LoopBack's word for it among the methods of a relation: `get` of `prototype.__get__books`. */
  readonly method?: string | undefined
  /** The relation of the route's own model that a nested operation goes through first. */
  readonly via?: ResolvedRelation | undefined
}

/** Effects that store what the client sends as a record. */
const sending: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['create', 'patch', 'replace', 'upsert'])

const reading: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['find', 'count', 'aggregate', 'stream'])

const querying: ReadonlySet<EffectVerb> = new Set<EffectVerb>(['find', 'count', 'aggregate'])

/** True where one query answers, which a client's restriction is a part of. */
export const isQuery = ({ verb }: Effect): boolean => querying.has(verb)

/** True where nothing is changed. */
export const isReading = ({ verb }: Effect): boolean => reading.has(verb)

/** True where the data of a call becomes a record, or parts of one. */
export const storesData = ({ verb }: Effect): boolean => sending.has(verb)

/**
 * True where one call changes or deletes any number of records. What lies in one record, as its embedded parts do, counts as a part
 * of that record.
 */
export const changesMany = ({ verb, subject, relation }: Effect): boolean =>
  subject === 'set' && (verb === 'patch' || verb === 'delete') && relation?.embeds !== true

/** The effect of a method of the application: it calls a function, on a record where the path names one. */
export function effectOfMethod(
  onInstance: boolean,
  accepts: readonly Argument[],
  endpoints: readonly Endpoint[]
): Effect {
  const namesRecord = onInstance || accepts.some(({ isId }) => isId) || endpoints.some(hasIdInPath)
  return { verb: 'call', subject: onInstance ? 'record' : 'set', ...(namesRecord && { idIn: 'path' }) }
}

const hasIdInPath = ({ path }: Endpoint): boolean => path.split('/').includes(':id')

/** The id by which a call names the related record that it is about; undefined where the relation alone leads there. */
export function relatedIdOf({ args }: OperationContext): unknown {
  return args['fk']
}
