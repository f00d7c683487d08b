import { InvalidArgument, ModelNotFound } from '../errors.ts'
import type { RemoteHook, RemoteHooks } from './remote-hooks.ts'
import { methodString, type Guard, type Operation, type ReturnValue } from './operation.ts'
import { onBehalfOf } from './caller.ts'
import { andThen, type Awaitable } from '../values/awaitable.ts'
import type { OperationContext } from './operation-context.ts'

/** An operation with everything that runs around it, found once before the first call. */
export interface CompiledOperation {
  readonly operation: Operation
  readonly guards: readonly Guard[]
  readonly before: readonly RemoteHook[]
  readonly after: readonly RemoteHook[]
  readonly onError: readonly RemoteHook[]
  readonly required: readonly string[]
  /** The returned value is the result as it is. */
  readonly plainResult: boolean
  /** No hook and no code of the application runs in the call. */
  readonly isPlain: boolean
  /** Runs without loading the instance. */
  readonly byId: boolean
  /** Hooks look at the result: records come as instances. */
  readonly wantsInstances: boolean
  /** A guard is always asked about every call, not only about those with a principal. */
  readonly guardsEverybody: boolean
  /** Of each guard that is asked about calls without a principal: whether it has nothing to ask of them at the moment. */
  readonly openings: readonly (() => boolean)[]
  /** Code of the application runs in the call, which may want to know the caller. */
  readonly tellsCaller: boolean
}

const never = (): boolean => false

/** Collects guards and remote hooks of an operation. Call it when no more of them can be added. */
export function compileOperation(
  operation: Operation,
  guards: readonly Guard[],
  hooks: RemoteHooks
): CompiledOperation {
  const method = methodString(operation)
  const [single, ...others] = operation.returns
  const before = [...hooks.find('first', method), ...findHooks('before', operation, hooks)]
  const after = findHooks('after', operation, hooks)
  const onError = hooks.find('error', method)
  const tellsCaller = operation.runsApplicationCode === true
  const isPlain = !tellsCaller && [before, after, onError].every((list) => list.length === 0)
  return {
    operation,
    guards,
    before,
    after,
    onError,
    tellsCaller,
    isPlain,
    openings: guards.flatMap(({ onlyForCallers, isOpen = never }) => (onlyForCallers === true ? [] : [isOpen])),
    guardsEverybody: guards.some((guard) => !guard.onlyForCallers && guard.isOpen === undefined),
    byId: operation.invokeById !== undefined && isPlain && guards.every((guard) => guard.ignoresInstance),
    wantsInstances: after.length > 0,
    required: operation.accepts.filter((argument) => argument.required).map((argument) => argument.name),
    plainResult: single !== undefined && others.length === 0 && single.root && single.target === undefined
  }
}

/** The hooks of a method, then those of the one that it delegates to. */
function findHooks(phase: 'before' | 'after', operation: Operation, hooks: RemoteHooks): readonly RemoteHook[] {
  const own = hooks.find(phase, methodString(operation))
  return operation.delegate === undefined ? own : [...own, ...hooks.findExact(phase, operation.delegate)]
}

/**
 * Loads the instance of an operation that runs on one. A missing one is held back: the guards decide first whether the
 * caller may learn that it is missing.
 */
export async function loadInstance(call: CompiledOperation, context: OperationContext): Promise<void> {
  if (!needsInstance(call)) return
  context.instance = await call.operation.loadInstance?.(context)
}

/**
 * Asks the guards, one after the other. Gives a promise only where one of them has to wait.
 * @throws what a guard throws when the call may not go on
 */
export function checkGuards(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  return checkFrom(call.guards, 0, context)
}

/** True when some guard has to be asked about a call. */
export function needsGuards({ guards, openings }: CompiledOperation, { principal }: OperationContext): boolean {
  if (principal !== undefined) return guards.length > 0
  for (const isOpen of openings) if (!isOpen()) return true
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
 * Runs the method with its remote hooks and leaves the answer in `context.result`. Hooks of errors hear of everything that
 * goes wrong here, as in LoopBack. Gives a promise only where something has to be waited for.
 * @throws {ModelNotFound} there is no instance with the id
 * @throws {InvalidArgument} a required argument is absent
 */
export function perform(call: CompiledOperation, context: OperationContext): Awaitable<void> {
  if (!call.isPlain) return performWithHooks(call, context)
  requireInstance(call, context)
  checkRequired(call, context)
  return andThen(invoke(call, context), (value) => finish(call, context, value))
}

/** True when the instance has to be there before the method runs. */
export const needsInstance = ({ operation, byId }: CompiledOperation): boolean =>
  operation.loadInstance !== undefined && !byId

const noInstance = ({ operation }: CompiledOperation, { id }: OperationContext): ModelNotFound =>
  new ModelNotFound(`No ${operation.model.name} has the id ${JSON.stringify(id)}`)

function requireInstance(call: CompiledOperation, context: OperationContext): void {
  if (needsInstance(call) && context.instance === undefined) throw noInstance(call, context)
}

function finish(call: CompiledOperation, context: OperationContext, value: unknown): void {
  if (call.byId && value === undefined) throw noInstance(call, context)
  setResult(call, context, value)
}

async function performWithHooks(call: CompiledOperation, context: OperationContext): Promise<void> {
  try {
    requireInstance(call, context)
    for (const hook of call.before) await hook(context)
    checkRequired(call, context)
    setResult(call, context, await invoke(call, context))
    for (const hook of call.after) await hook(context)
  } catch (error) {
    await failed(call, context, error)
  }
}

/** LB3: hooks may fill in what is missing; pinned by the test of missing arguments. */
function checkRequired({ required }: CompiledOperation, context: OperationContext): void {
  for (const name of required)
    if (context.args[name] === undefined) throw new InvalidArgument(`${name} is a required argument`)
}

/** Where nobody asks for the caller, the calls do not pay for telling. */
function invoke({ operation, tellsCaller, byId }: CompiledOperation, context: OperationContext): unknown {
  const run = (byId && operation.invokeById) || operation.invoke
  const isAsked = tellsCaller || operation.model.registry.observed
  return isAsked ? onBehalfOf(context.options, () => run(context)) : run(context)
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
  await checkGuards(call, context)
  await perform(call, context)
  const missing = nothingFound(call, context)
  if (missing !== undefined) throw missing
  return context.result
}

function setResult(call: CompiledOperation, context: OperationContext, value: unknown): void {
  if (call.plainResult) {
    context.result = value
    return
  }
  const { returns } = call.operation
  const values = returns.length > 1 && Array.isArray(value) ? value : [value]
  const body: Record<string, unknown> = {}
  let root: { value: unknown } | undefined
  for (const [index, returned] of returns.entries()) {
    const item: unknown = values[index]
    if (returned.target !== undefined) setTarget(returned, context, item)
    else if (returned.root) root = { value: item }
    else body[returned.name] = item
  }
  context.result = root === undefined ? body : root.value
}

/** Sets the status or a header of the answer; a value that is absent sets nothing. */
function setTarget({ target, header, name }: ReturnValue, context: OperationContext, item: unknown): void {
  if (item === undefined || item === null) return
  if (target === 'status') context.status = Number(item)
  else (context.headers ??= {})[header ?? name] = String(item)
}
