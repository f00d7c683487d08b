import type { OperationContext } from '@modelwire/core'
import {
  type Operation,
  optionsFor,
  repository,
  type Restriction,
  restrictionFor,
  storesData,
  TrustedWhere
} from '@modelwire/core/plugin'
import { isComposite, keyTextOf, type ModelType, shortName } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'

// A function of the application that stands in for a built-in operation is not restricted itself: the client's
// arguments are restricted to its rights before the call. Data access with the `options` it receives acts for the
// client as well.

/** A client's condition combined with the one of its rights. */
const both = (filter: unknown, own: TrustedWhere): object => ({ and: isPlainObject(filter) ? [filter, own] : [own] })

async function narrowed(context: OperationContext, restriction: Restriction): Promise<Record<string, unknown>> {
  const { condition: argument } = context.operation.effect
  const where = argument === undefined ? undefined : await restriction.asWhere()
  if (argument === undefined || where === undefined) return {}
  const own = new TrustedWhere(where)
  const { [argument]: sent } = context.args
  if (argument === 'where') return { where: both(sent, own) }
  const filter = isPlainObject(sent) ? sent : {}
  const { model } = context.operation
  const fields = withIds(filter['fields'], model.idProperty === undefined ? ['id'] : model.keyNames)
  return { [argument]: { ...filter, ...fields, where: both(filter['where'], own) } }
}

/** The answer is checked by id: so the client's choice of properties includes it. */
function withIds(fields: unknown, ids: readonly string[]): { fields?: unknown } {
  if (typeof fields === 'string') return { fields: [fields, ...ids] }
  if (Array.isArray(fields)) return { fields: [...(fields as unknown[]), ...ids] } // names that are not validated yet
  if (!isPlainObject(fields)) return {}
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => !ids.includes(name)))
  const choosesOthers = Object.values(others).some((value) => Boolean(value))
  const choosesIds = choosesOthers || ids.some((id) => fields[id] === true)
  return { fields: choosesIds ? { ...others, ...Object.fromEntries(ids.map((id) => [id, true])) } : others }
}

/** @throws what access control refuses includes with, whatever the records are */
async function refuseInclude(model: ModelType, context: OperationContext, restriction: Restriction | undefined) {
  const { filter } = context.args
  const include = isPlainObject(filter) ? filter['include'] : undefined
  if (include === undefined || include === null) return
  await model.registry.includeLoader?.refuse?.({ model, include, fields: undefined, call: context, restriction })
}

async function storedRecord(model: ModelType, { instance, operation, args }: OperationContext) {
  if (instance !== undefined) return instance as Readonly<Record<string, unknown>> // a loaded record has its properties by name
  const { data } = args
  const sent = operation.effect.idIn === 'body' && isPlainObject(data) ? data : {}
  const named = isComposite(model) ? keyTextOf(model, sent) : sent[model.idProperty?.name ?? 'id']
  const id = operation.effect.idIn === 'path' ? args['id'] : named
  if (id === undefined || id === null || id === '') return undefined
  return (await repository.findById(model, id, undefined, { options: {} })) ?? undefined
}

async function acceptedData(model: ModelType, context: OperationContext, restriction: Restriction | undefined) {
  const { effect } = context.operation
  const { data } = context.args
  if (!storesData(effect)) return {}
  const write = { call: context, restriction }
  const stored = effect.verb === 'create' || effect.subject === 'set' ? undefined : await storedRecord(model, context)
  const changed = effect.verb === 'replace' || effect.whole === true ? ('whole' as const) : ('part' as const)
  const ofRecord = stored === undefined ? ('new' as const) : changed
  const kind = effect.verb === 'patch' && effect.subject === 'set' ? ('each' as const) : ofRecord
  const accept = (item: unknown): unknown =>
    isPlainObject(item) ? repository.acceptData(model, item, write, kind, stored) : item
  const accepted = Array.isArray(data) ? data.map(accept) : accept(data)
  await checkLeft(model, accepted, restriction, kind === 'part' ? stored : undefined)
  return { data: accepted }
}

/** @throws the restriction's error for denied records: the data would not be that of a record of the client's */
async function checkLeft(
  model: ModelType,
  data: unknown,
  restriction: Restriction | undefined,
  before: Readonly<Record<string, unknown>> | undefined
): Promise<void> {
  if (restriction?.admits === undefined) return
  for (const item of Array.isArray(data) ? data : [data]) {
    const record = repository.draftInstance(model, { ...before, ...(isPlainObject(item) ? item : {}) })
    if (!(await restriction.admits(record))) throw restriction.deny()
  }
}

/**
 * The arguments for an application function that replaces a built-in operation.
 * @throws the error that access control refuses the client with
 */
export async function argumentsWithinRights(
  model: ModelType,
  operation: Operation,
  context: OperationContext
): Promise<unknown[]> {
  const values = (args: Record<string, unknown>): unknown[] => operation.accepts.map(({ name }) => args[name])
  const { client, args } = context
  if (client === undefined) return values(args)
  const restriction = await restrictionFor(model, context, shortName(operation.name))
  await refuseInclude(model, context, restriction)
  const within = restriction === undefined ? {} : await narrowed(context, restriction)
  const data = await acceptedData(model, context, restriction)
  return values({ ...args, ...within, ...data, options: optionsFor(context) })
}
