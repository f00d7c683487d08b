import { ApiError, type Model, ModelNotFound, type OperationContext, RecordNotFound } from '@modelwire/core'
import {
  type Argument,
  argument,
  asServer,
  InvalidRelation,
  methodString,
  type Operation,
  type ResolvedRelation,
  type Call
} from '@modelwire/core/plugin'
import { type ModelType, nameOfRecords, shortName } from '@modelwire/core/connector'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { isLinked } from '../records/links.ts'
import { missingChild } from '../records/child-data.ts'
import { targetOf } from '../records/target-of.ts'
import { type Related, relatedOf, type ToManyMethods } from '../related.ts'
import { relatedName } from './describe-related.ts'
import { checkBetween } from './relation-rights.ts'

/** The options of a relation's nested routes. */
export type NestingOptions = Omit<Nesting, 'relation'>

/** The relations with nested routes, as configured in code. */
export class Nestings {
  readonly #byModel = new Map<ModelType, Map<string, NestingOptions>>()

  /** Adds a nested relation, replacing an earlier setting. */
  add(model: ModelType, relation: string, options: NestingOptions): void {
    const existing = this.#byModel.get(model) ?? new Map<string, NestingOptions>()
    this.#byModel.set(model, existing.set(relation, options))
  }

  /** The nested relations of a model, by name. */
  of(model: ModelType): ReadonlyMap<string, NestingOptions> {
    return this.#byModel.get(model) ?? new Map<string, NestingOptions>()
  }

  /** @throws {InvalidRelation} a relation to nest is not declared */
  check(): void {
    for (const [model, nested] of this.#byModel) for (const name of nested.keys()) checkDeclared(model, name)
  }
}

/** How the methods of related records are exposed through a relation. */
export interface Nesting {
  readonly relation: ResolvedRelation
  /** Path segment; the relation's own when absent. */
  readonly pathName?: string | undefined
  /** Name of the argument with the related record's id. Default `nk`. */
  readonly paramName?: string | undefined
  /** False: the remote hooks of the related model's methods do not run. */
  readonly hooks?: boolean | undefined
  /** Returns the name of the nested method, without `prototype.`; undefined omits the method. */
  readonly filterMethod?: ((method: NestableMethod, relation: ResolvedRelation) => unknown) | undefined
}

/** A method that may be nested. */
export interface NestableMethod {
  /** LoopBack's name, without `prototype.`. */
  readonly name: string
  readonly isStatic: false
}

function nestedKey(name: string): Argument {
  return argument(name, 'path', { kind: 'any' }, { required: true, isId: true, description: 'Id of the nested record' })
}

/** The record that a nested method runs on; LB3: neither a record nor an error if a to-one relation has none. */
interface Between {
  /** The candidates: a to-one relation may have several, of which the client's rights leave one. */
  records: readonly Model[]
  readonly missing?: ApiError
}

/** @throws {ApiError} the relation leads to no record with this id */
async function readBetween({ findById }: ToManyMethods, related: Related, id: unknown): Promise<Model> {
  const found = await findById(related, id)
  if (found === null) throw new ModelNotFound(`no embedded record of ${related.relation.name} has this id`)
  return found
}

/** Makes the function that finds the record between, once for each call, unrestricted. */
function betweenFinder({ relation, paramName = 'nk' }: Nesting): (context: OperationContext) => Promise<Between> {
  const betweens = new WeakMap<OperationContext, Promise<Between>>()
  const kind = behaviourOf(relation)
  const find = async (context: OperationContext): Promise<Between> => {
    const related = { ...relatedOf(relation, context), call: asServer(context) }
    try {
      await checkIsJoined(relation, context, context.args[paramName])
      if (kind.many) return { records: [await readBetween(kind.methods, related, context.args[paramName])] }
      const records = await kind.methods.all(related)
      if (records.length > 0 || relation.from.registry.rules.answersNullBetween) return { records }
      throw new RecordNotFound(`the ${relation.from.name} has no ${relation.name}`)
    } catch (missing) {
      if (missing instanceof ApiError) return { records: [], missing }
      throw missing
    }
  }
  return (context) => {
    const finding = betweens.get(context) ?? find(context)
    betweens.set(context, finding)
    return finding
  }
}

/**
 * What joins two records has rules of its own: for a client who may not see it they are not joined.
 * @throws {RecordNotFound} nothing that the client may see joins the record of the route to the one with this id
 */
async function checkIsJoined(relation: ResolvedRelation, context: OperationContext, id: unknown): Promise<void> {
  if (relation.through === undefined || context.client === undefined) return
  if (await isLinked(relatedOf(relation, context), id)) return
  throw await missingChild({ ...relatedOf(relation, context), call: asServer(context) }, targetOf(relation), id)
}

/** Does something on the record between in place of that of the route. */
async function runOn<Value>(record: Model, context: OperationContext, run: () => Value): Promise<Awaited<Value>> {
  const parent = context.instance
  context.instance = record
  try {
    return await run()
  } finally {
    context.instance = parent
  }
}

const notRestricted: NonNullable<Call['grant']> = { model: undefined, restriction: undefined }

/** LB3: where nothing leads to the record that a method runs on, reading one by its id is a 404 and all else is null. */
function nestedNothing({ effect, foundNothing }: Operation): Operation['foundNothing'] {
  const readsById = effect.verb === 'find' && effect.idIn === 'path'
  return readsById ? ({ result }) => result === null : foundNothing
}

/** The text of LoopBack's document about the argument that names the record between. */
function nestedText(
  { loopbackText }: Operation,
  { name, many }: ResolvedRelation,
  param: string
): NonNullable<Operation['loopbackText']> | undefined {
  if (loopbackText === undefined || !many) return loopbackText
  return { ...loopbackText, arguments: { ...loopbackText.arguments, [param]: `Foreign key for ${name}.` } }
}

function nest(nesting: Nesting, operation: Operation, name: string): Operation {
  const { relation, pathName = relation.settings.path, paramName = 'nk', hooks = true } = nesting
  const { many } = relation
  const root = many ? `/:id/${pathName}/:${paramName}` : `/:id/${pathName}`
  const foundNothing = nestedNothing(operation)
  const findBetween = betweenFinder(nesting)
  return {
    ...operation,
    ...(foundNothing === undefined ? {} : { foundNothing }),
    effect: { ...operation.effect, via: relation },
    loopbackText: nestedText(operation, relation, paramName),
    model: relation.from,
    name,
    delegate: hooks ? methodString(operation) : undefined,
    accepts: many ? [nestedKey(paramName), ...operation.accepts] : operation.accepts,
    endpoints: operation.endpoints.map(({ verb, path }) => ({ verb, path: root + path.slice('/:id'.length) })),
    findGrant: async (context) => {
      if (context.instance === undefined) return notRestricted
      const between = await findBetween(context)
      const { record, grant } = await checkBetween(relation, context, between.records)
      context.grant = grant
      if (record === undefined) return notRestricted
      between.records = [record]
      return runOn(record, context, () => operation.findGrant?.(context) ?? notRestricted)
    },
    invoke: async (context) => {
      const { records, missing } = await findBetween(context)
      const [record] = records
      if (missing !== undefined) throw missing
      return record === undefined ? null : runOn(record, context, () => operation.invoke(context))
    }
  }
}

/**
 * The operations of the related model's own relations, one level down: `prototype.__get__posts__comments` at
 * `/authors/:id/posts/:nk/comments`.
 * @param operations those of the related model's relations
 * @see LoopBack 3: loopback, lib/model.js, nestRemoting
 */
export function nestedOperations(nesting: Nesting, operations: readonly Operation[]): Operation[] {
  const { relation, filterMethod } = nesting
  return operations.flatMap((operation) => {
    const { relation: inner, method } = operation.effect
    if (inner === undefined || method === undefined || !isNestable(inner)) return []
    const defaultName = shortName(relatedName(method, relation, inner))
    const chosen =
      filterMethod === undefined
        ? defaultName
        : filterMethod({ name: shortName(operation.name), isStatic: false }, relation)
    return typeof chosen === 'string' && chosen !== '' ? [nest(nesting, operation, nameOfRecords(chosen))] : []
  })
}

/** LB3: relations with an underscore in their name have no nested routes. */
const isNestable = ({ name }: ResolvedRelation): boolean => !name.includes('_')

function checkDeclared(model: ModelType, name: string): void {
  if (model.definition.relations?.[name] !== undefined) return
  const place = { model: model.name, key: `relations.${name}` }
  throw new InvalidRelation('unknown relation: it cannot have nested routes', place)
}
