import { InvalidArgument, ModelNotFound } from '../errors.ts'
import { concealError } from './conceal-error.ts'
import type { CompiledOperation } from './compile-operation.ts'
import type { Argument, Operation, ReturnValue } from './operation.ts'
import { onBehalfOf } from '../caller/caller.ts'
import { isQuery } from './effect.ts'
import { checkNamedRecord } from './named-record.ts'
import type { OperationContext } from './operation-context.ts'
import { toValue } from '../repository/records/records.ts'

/**
 * Loads the instance of an instance operation. If it does not exist, that is not reported yet: the guards decide first
 * whether the caller may know.
 */
export async function loadInstance(call: CompiledOperation, context: OperationContext): Promise<void> {
  if (!needsInstance(call)) return
  context.instance = await call.operation.loadInstance?.(context)
}

/**
 * Runs the guards, one after the other. A client that passes all of them is only restricted by what they set.
 * @throws the error of a guard that refuses the call
 */
export async function checkGuards(call: CompiledOperation, context: OperationContext): Promise<void> {
  const isCaller = context.principal !== undefined
  const guards = needsGuards(call, context) ? call.guards : []
  for (const guard of guards) if (isCaller || guard.onlyForCallers !== true) await guard(context)
  await settleGrant(call, context)
}

/** True if a call must be admitted by {@link admit} before it is performed. */
export const needsAdmission = ({ guards, beforeAccess }: CompiledOperation): boolean =>
  guards.length > 0 || beforeAccess.length > 0

/**
 * Runs the steps before access control, and the guards. Error hooks run for calls that they deny, as in LoopBack.
 * @throws the error of a step or a guard that refuses the call
 */
export async function admit(call: CompiledOperation, context: OperationContext): Promise<void> {
  if (call.beforeAccess.length === 0 && call.onError.length === 0) return checkGuards(call, context)
  // LB3: code that runs before the method may write to the result, which is replaced.
  context.result ??= {}
  try {
    for (const step of call.beforeAccess) await step(context)
    if (call.guards.length > 0 && !context.hasFailed) await checkGuards(call, context)
  } catch (error) {
    await failed(call, context, error)
  }
}

/** The query itself leaves out what the client may not see, and nothing runs before it. */
const isPlainRead = ({ isPlain, operation: { findGrant, effect } }: CompiledOperation): boolean =>
  isPlain && findGrant === undefined && isQuery(effect)

/**
 * Determines what the client may see and change. Application code that runs before or instead of the restricted query,
 * relations of the record, and checks of the client's data never receive a record that the client may not see.
 */
async function settleGrant(call: CompiledOperation, context: OperationContext): Promise<void> {
  // No guard keeps the client from anything of the operation's own model.
  context.grant ??= { model: call.operation.model, restriction: undefined }
  if (isPlainRead(call)) return
  const { findGrant } = call.operation
  const { restriction } = context.grant
  if (restriction?.condition !== undefined) await checkNamedRecord(call.operation, context, restriction)
  if (findGrant !== undefined && context.client !== undefined) context.grant = await findGrant(context)
}

/** True when some guard has to run for a call. */
function needsGuards({ guards, anonymousBypasses }: CompiledOperation, { principal }: OperationContext): boolean {
  if (principal !== undefined) return guards.length > 0
  for (const isOpen of anonymousBypasses) if (!isOpen()) return true
  return false
}

/**
 * Runs the method with its remote hooks and stores the result in `context.result`. Error hooks run for every error here, as
 * in LoopBack. Errors of a client's writes do not reveal what the client may not read.
 * @throws {ModelNotFound} there is no instance with the id
 * @throws {InvalidArgument} a required argument is absent
 */
export async function perform(call: CompiledOperation, context: OperationContext): Promise<void> {
  const conceals = context.client !== undefined && !call.isReading
  try {
    await (call.isPlain ? performPlain(call, context) : performWithHooks(call, context))
  } catch (error) {
    throw conceals ? await concealError(error, context) : error
  }
}

async function performPlain(call: CompiledOperation, context: OperationContext): Promise<void> {
  requireInstance(call, context)
  checkRequired(call, context)
  const value = await invoke(call, context)
  if (call.byId && value === undefined) throw noInstance(call, context)
  setResult(call, context, value)
}

/** True if the instance must be loaded before the method runs. */
export const needsInstance = ({ operation, byId }: CompiledOperation): boolean =>
  operation.loadInstance !== undefined && !byId

/** A client who may see only some of the records was refused before, by {@link settleGrant} or by the query. */
const noInstance = ({ operation }: CompiledOperation, { id }: OperationContext): Error =>
  new ModelNotFound(`No ${operation.model.name} has the id ${JSON.stringify(id)}`)

function requireInstance(call: CompiledOperation, context: OperationContext): void {
  if (needsInstance(call) && context.instance === undefined) throw noInstance(call, context)
}

function setResult(call: CompiledOperation, context: OperationContext, value: unknown): void {
  if (call.plainResult) context.result = value
  else setReturned(call.operation, context, value)
}

async function performWithHooks(call: CompiledOperation, context: OperationContext): Promise<void> {
  context.result ??= {}
  try {
    for (const step of call.afterAccess) await step(context)
    if (context.hasFailed) return
    requireInstance(call, context)
    for (const hook of call.before) await hook(context)
    if (context.hasFailed) return
    checkRequired(call, context)
    const value = await invoke(call, context)
    setResult(call, context, context.wantsInstances ? toValue(value) : value)
    for (const hook of call.after) await hook(context)
  } catch (error) {
    await failed(call, context, error)
  }
}

const isAbsent = ({ blankIsAbsent }: Argument, value: unknown): boolean =>
  value === undefined || (blankIsAbsent === true && (value === null || value === ''))

/** LB3: hooks may fill in what is missing; pinned by the test of missing arguments. */
function checkRequired({ required }: CompiledOperation, context: OperationContext): void {
  for (const argument of required)
    if (isAbsent(argument, context.args[argument.name]))
      throw new InvalidArgument(`${argument.name} is a required argument`)
}

/** Without observers, calls do not pay for carrying their caller. */
function invoke({ operation, runsApplicationCode, byId }: CompiledOperation, context: OperationContext): unknown {
  const run = (byId && operation.invokeById) || operation.invoke
  const mayBeRestricted = runsApplicationCode || operation.model.registry.observed
  return mayBeRestricted ? onBehalfOf(context.options, () => run(context)) : run(context)
}

/** The error of a finished call that found nothing. Not thrown, since it is a regular response. */
export function nothingFound({ operation }: CompiledOperation, context: OperationContext): ModelNotFound | undefined {
  if (operation.foundNothing?.(context) !== true) return undefined
  const id = context.args['id'] ?? context.id
  const which = id === undefined ? 'was found' : `has the id ${JSON.stringify(id)}`
  const error = new ModelNotFound(`No ${operation.model.name} ${which}`)
  // LB3: `debug` shows it for reads, pinned by errors/debug
  error.status = 404
  return error
}

async function failed(call: CompiledOperation, context: OperationContext, error: unknown): Promise<never> {
  context.error = error
  for (const hook of call.onError) await hook(context)
  // A hook may have cleared it: the call is refused all the same.
  throw context.error ?? error
}

/** The steps of a call, for who runs them one after the other, as `rest` does. */
export const callSteps = {
  needsInstance,
  loadInstance,
  needsAdmission,
  admit,
  checkGuards,
  perform,
  nothingFound
}

/** Runs a whole call without HTTP, with the same functions that `rest` runs. */
export async function runOperation(call: CompiledOperation, context: OperationContext): Promise<unknown> {
  await loadInstance(call, context)
  if (needsAdmission(call)) await admit(call, context)
  await perform(call, context)
  const missing = nothingFound(call, context)
  if (missing !== undefined) throw missing
  return context.result
}

/**
 * Sets the body, the status and the headers of an answer to what a method returned, as the operation declares it: one that declares
 * nothing has no result, unless a hook gives it one.
 */
function setReturned({ returns }: Operation, context: OperationContext, value: unknown): void {
  const values = returns.length > 1 && Array.isArray(value) ? value : [value]
  const body: Record<string, unknown> = {}
  let root: { value: unknown } | undefined
  for (const [index, returned] of returns.entries()) {
    const item: unknown = values[index]
    if (returned.target !== undefined) setTarget(returned, context, item)
    else if (returned.root && index < values.length) root = { value: item }
    else if (returned.root) continue
    else body[returned.name] = item
  }
  const named = returns.length === 0 ? undefined : body
  context.result = root === undefined ? named : root.value
}

/** Sets the status or a header of the answer; a value that is absent sets nothing. */
function setTarget({ target, header, name }: ReturnValue, context: OperationContext, item: unknown): void {
  if (item === undefined || item === null) return
  if (target === 'status') context.status = Number(item)
  else (context.headers ??= {})[header ?? name] = String(item)
}
