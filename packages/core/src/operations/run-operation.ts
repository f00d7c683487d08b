import { InvalidArgument, ModelNotFound } from '../errors.ts'
import { concealError } from './conceal-error.ts'
import type { CompiledOperation } from './compile-operation.ts'
import type { Argument, Guard } from './operation.ts'
import { onBehalfOf } from '../caller/current-caller.ts'
import { isQuery } from './effect.ts'
import { checkNamedRecord } from './named-record.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import type { OperationContext } from './operation-context.ts'
import { toValue } from '../repository/records.ts'
import { setReturned } from './set-returned.ts'

/**
 * Loads the instance of an operation that runs on one. A missing one is held back: the guards decide first whether the
 * caller may learn that it is missing.
 */
export async function loadInstance(call: CompiledOperation, context: OperationContext): Promise<void> {
  if (!needsInstance(call)) return
  context.instance = await call.operation.loadInstance?.(context)
}

/**
 * Runs the guards, one after the other. Returns a promise only where one of them has to wait. A client that passes all
 * of them is restricted only by what they set.
 * @throws the error of a guard that refuses the call
 */
export function checkGuards(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  if (!needsGuards(call, context)) return settleGrant(call, context)
  return andThen(checkFrom(call.guards, 0, context), () => settleGrant(call, context))
}

/** True when a call has to be admitted by {@link admit} before it is performed. */
export const needsAdmission = ({ guards, beforeAccess }: CompiledOperation): boolean =>
  guards.length > 0 || beforeAccess.length > 0

/**
 * Runs the steps before access control, and the guards. Error hooks run for what they refuse, as in LoopBack.
 * @throws the error of a step or a guard that refuses the call
 */
export function admit(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  const isSilent = call.beforeAccess.length === 0 && call.onError.length === 0
  return isSilent ? checkGuards(call, context) : admitWithHooks(call, context)
}

async function admitWithHooks(call: CompiledOperation, context: OperationContext): Promise<void> {
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
function settleGrant(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  // No guard keeps the client from anything of the operation's own model.
  context.grant ??= { model: call.operation.model, restriction: undefined }
  if (isPlainRead(call)) return undefined
  const { findGrant } = call.operation
  const { restriction } = context.grant
  const checking = restriction?.condition && checkNamedRecord(call.operation, context, restriction)
  if (findGrant === undefined || context.client === undefined) return checking
  return andThen(
    andThen(checking, () => findGrant(context)),
    (grant) => {
      context.grant = grant
    }
  )
}

/** True when some guard has to run for a call. */
function needsGuards({ guards, anonymousBypasses }: CompiledOperation, { principal }: OperationContext): boolean {
  if (principal !== undefined) return guards.length > 0
  for (const isOpen of anonymousBypasses) if (!isOpen()) return true
  return false
}

function checkFrom(guards: readonly Guard[], first: number, context: OperationContext): Awaitable<void> {
  for (const [index, guard] of guards.entries()) {
    if (index < first || (guard.onlyForCallers === true && context.principal === undefined)) continue
    const checking = guard(context)
    if (checking instanceof Promise) return andThen(checking, () => checkFrom(guards, index + 1, context))
  }
  return undefined
}

/**
 * Runs the method with its remote hooks and leaves the answer in `context.result`. Error hooks run for every error
 * here, as in LoopBack. Returns a promise only where something has to be waited for.
 * @throws {ModelNotFound} there is no instance with the id
 * @throws {InvalidArgument} a required argument is absent
 */
export function perform(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  return context.client !== undefined && !call.isReading ? concealing(call, context) : carryOut(call, context)
}

/** Errors of a client's writes do not reveal what the client may not read. */
function concealing(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  try {
    const running = carryOut(call, context)
    return running instanceof Promise ? concealed(running, context) : running
  } catch (error) {
    return concealed(Promise.reject(error), context)
  }
}

async function concealed(running: Promise<void>, context: OperationContext): Promise<void> {
  try {
    await running
  } catch (error) {
    throw await concealError(error, context)
  }
}

function carryOut(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  if (!call.isPlain) return performWithHooks(call, context)
  requireInstance(call, context)
  checkRequired(call, context)
  return andThen(invoke(call, context), (value) => finish(call, context, value))
}

/** True when the instance has to be there before the method runs. */
export const needsInstance = ({ operation, byId }: CompiledOperation): boolean =>
  operation.loadInstance !== undefined && !byId

/** A client who may see some of the records alone was refused before, by {@link settleGrant} or by the query. */
const noInstance = ({ operation }: CompiledOperation, { id }: OperationContext): Error =>
  new ModelNotFound(`No ${operation.model.name} has the id ${JSON.stringify(id)}`)

function requireInstance(call: CompiledOperation, context: OperationContext): void {
  if (needsInstance(call) && context.instance === undefined) throw noInstance(call, context)
}

function setResult(call: CompiledOperation, context: OperationContext, value: unknown): void {
  if (call.plainResult) context.result = value
  else setReturned(call.operation, context, value)
}

function finish(call: CompiledOperation, context: OperationContext, value: unknown): void {
  if (call.byId && value === undefined) throw noInstance(call, context)
  setResult(call, context, value)
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

/** The error of a finished call that found nothing. Not thrown, since it is an answer like others. */
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
  throw context.error
}

/** A whole call without HTTP: the same functions that `rest` runs one after the other. */
export async function runOperation(call: CompiledOperation, context: OperationContext): Promise<unknown> {
  await loadInstance(call, context)
  if (needsAdmission(call)) await admit(call, context)
  await perform(call, context)
  const missing = nothingFound(call, context)
  if (missing !== undefined) throw missing
  return context.result
}
