import {
  compileMethod,
  inOwnNames,
  isShared,
  lineageOf,
  type Operation,
  type SharedMethods,
  operationsOf,
  registryOf,
  repository,
  type Restriction,
  restrictionFor,
  serverCall,
  TrustedWhere
} from '@modelwire/core/plugin'
import { isComposite, keyTextOf, type ModelType, shortName } from '@modelwire/core/connector'
import { loadById } from './loopback-words.ts'
import type { OperationContext } from '@modelwire/core'
import { argumentsWithinRights } from './arguments-within-rights.ts'
import { aggregate } from './aggregate-operation.ts'
import { changeOperations, changeStreamOperations } from './change-operations.ts'
import { readOperations } from './read-operations.ts'
import { writeOperations } from './write-operations.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const idIn = (model: ModelType, record: object): unknown =>
  isComposite(model)
    ? keyTextOf(model, Object.fromEntries(model.keyNames.map((name) => [name, Reflect.get(record, name)])))
    : Reflect.get(record, model.idProperty?.name ?? 'id')

/** Ids of the same record compare as texts: a function may answer `"1"` for 1. */
const idOf = (model: ModelType, record: unknown): string | undefined => {
  const id: unknown = isObject(record) ? idIn(model, record) : undefined
  return id === undefined || id === null || id === '' ? undefined : String(id)
}

/** True where clients may ask for sums and groups: the model's setting `aggregate` is set. */
const allowsAggregate = ({ definition }: ModelType): boolean =>
  definition.aggregate !== undefined && definition.aggregate !== false

const makers = [...readOperations, ...writeOperations, ...changeOperations, ...changeStreamOperations]

type Method = (...args: unknown[]) => unknown

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** LB3: a model has the remote methods that definitions of its bases declare, and not those that code declares of them. */
const isInherited = ({ registry, definition }: ModelType, name: string): boolean =>
  !registry.rules.inheritsDefinedMethods || Object.hasOwn(definition.methods ?? {}, name)

/** Remote methods of the bases first, so that a model's own of the same name replaces them. */
function declaredMethods(model: ModelType): Operation[] {
  const specs = new Map<string, Record<string, unknown>>()
  const chain = lineageOf(model).toReversed()
  for (const type of chain) {
    const shared = [...type.methods.specs].filter(([name]) => type === model || isInherited(type, name))
    for (const [name, spec] of shared) specs.set(name, spec)
  }
  const compiled = [...specs].map(([name, spec]) => withLoader(model, compileMethod(model, name, spec)))
  return [
    ...compiled,
    ...chain.flatMap((type) => operationsOf(type).map((operation) => withLoader(model, { ...operation, model })))
  ]
}

/** Gives a method of an instance the way to load it, unless it brings its own. */
const withLoader = (model: ModelType, operation: Operation): Operation =>
  operation.onInstance ? { loadInstance: loadById(model), ...operation } : operation

/**
 * All reachable operations of a model, in mount order: its own methods before the predefined ones. LB3: those of relations,
 * predefined ones, its own; strong-remoting, lib/shared-class.js, methods
 */
export function listOperations(model: ModelType, globalSharing: SharedMethods | undefined): Operation[] {
  const sources = registryOf(model).operationSources
  const added = sources.flatMap((source) => source(model)).map((operation) => withLoader(model, operation))
  const predefined = model.persisted ? crudOperations(model).map((operation) => respectOverrides(model, operation)) : []
  const own = declaredMethods(model)
  const replaced = new Set(own.map((operation) => operation.name))
  const kept = predefined.filter((operation) => !replaced.has(operation.name))
  const { rules } = model.registry
  const all = rules.mountsOwnMethodsLast ? [...added, ...kept, ...own] : [...own, ...kept, ...added]
  const { disabled } = model.methods
  const settings = [globalSharing, model.definition.remoting?.sharedMethods].filter((one) => one !== undefined)
  // LB3: settings know own names and patterns alone; pinned by exposure/aliased.
  const named = rules.ignoresSharedAliases ? settings : settings.map((setting) => inOwnNames(setting, all))
  return all.filter((operation) => isShared(operation, disabled, ...named))
}

/** The function behind a name of a class or of its instances; undefined when there is none. */
function methodOf(owner: object, name: string): Method | undefined {
  const found: unknown = Reflect.get(owner, name)
  return isMethod(found) ? found : undefined
}

/** True when the application replaced a predefined method of this model, under its name or an alias. */
function replacement(model: ModelType, operation: Operation): string | undefined {
  const { rootClass } = model.registry
  const [own, original]: [object, object] = operation.onInstance
    ? [model.modelClass.prototype, rootClass.prototype]
    : [model.modelClass, rootClass]
  const names = [shortName(operation.name), ...operation.aliases]
  return names.find((name) => methodOf(own, name) !== methodOf(original, name))
}

/**
 * Lets a model's own function answer in place of the predefined one: scripts and mixins replace `Model.find` and the like.
 * A model that replaced nothing is not slowed down.
 */
function respectOverrides(model: ModelType, operation: Operation): Operation {
  const name = replacement(model, operation)
  if (name === undefined) return operation
  const invoke = async (context: OperationContext): Promise<unknown> => {
    const self: object = operation.onInstance ? (context.instance ?? model.modelClass) : model.modelClass
    const method = methodOf(self, name)
    if (method === undefined) return operation.invoke(context)
    const args = await argumentsWithinRights(model, operation, context)
    const answer = await model.registry.callMethod(method, self, args, context.operation)
    return answerWithin(model, operation, context, answer)
  }
  return { ...operation, invoke, invokeById: undefined, runsApplicationCode: true }
}

/**
 * The predefined operations of a persisted model. A model without data source keeps them all, so that its routes report
 * what is missing; of a connector that cannot do everything only what it can is left.
 * @see tables/persisted-model.json of the conformance data
 */
function crudOperations(model: ModelType): Operation[] {
  const all = (allowsAggregate(model) ? [...makers, aggregate] : makers).map((make) => make(model))
  const can = model.dataSource?.connector.capabilities.operations
  return can === undefined ? all : all.filter((operation) => (operation.needs ?? []).every((need) => can.has(need)))
}

/** The ids among these whose stored records the client may see. */
async function idsWithin(
  model: ModelType,
  records: readonly unknown[],
  restriction: Restriction
): Promise<ReadonlySet<string | undefined>> {
  const idName = model.idProperty?.name ?? 'id'
  const ids = [...new Set(records.flatMap((record) => idOf(model, record) ?? []))]
  const own = await restriction.asWhere()
  const within = own === undefined ? [] : [new TrustedWhere(own)]
  const filter = {
    where: { and: [{ [idName]: { inq: ids } }, ...within] },
    fields: isComposite(model) ? model.keyNames : [idName]
  }
  const found = ids.length === 0 ? [] : await repository.find(model, filter, serverCall())
  return new Set(found.map((record) => idOf(model, record)))
}

/**
 * What a function of the application that stands in for a reading operation answers, without records that the client
 * may not see. The stored records decide, by their ids: the function may have ignored the condition it was called with,
 * and may return anything about their owners. A record without an id is left out.
 * @throws the restriction's error for denied records, where one record is the answer
 */
async function answerWithin(
  model: ModelType,
  operation: Operation,
  context: OperationContext,
  answer: unknown
): Promise<unknown> {
  if (context.client === undefined || operation.effect.verb !== 'find' || !isObject(answer)) return answer
  const restriction = await restrictionFor(model, context, shortName(operation.name))
  if (restriction?.condition === undefined) return answer
  const records: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
  const visible = await idsWithin(model, records, restriction)
  const kept = records.filter((record) => visible.has(idOf(model, record) ?? ''))
  if (Array.isArray(answer)) return kept
  if (kept.length === 0) throw restriction.deny()
  return answer
}
