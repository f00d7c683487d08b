import { isReading } from './effect.ts'
import { type Argument, type Guard, methodString, type Operation } from './operation.ts'
import type { RemoteHook, RemoteHooks, StepMoment } from './remote-hooks.ts'

/** An operation with everything that runs around it, determined once before the first call. */
export interface CompiledOperation {
  readonly operation: Operation
  readonly guards: readonly Guard[]
  /** Steps before the guards. */
  readonly beforeAccess: readonly RemoteHook[]
  /** Steps that run before it is known whether the record exists. */
  readonly afterAccess: readonly RemoteHook[]
  readonly before: readonly RemoteHook[]
  readonly after: readonly RemoteHook[]
  readonly onError: readonly RemoteHook[]
  readonly required: readonly Argument[]
  /** The returned value is the result itself. */
  readonly plainResult: boolean
  /** No hook and no application code runs in the call. */
  readonly isPlain: boolean
  /** Runs without loading the instance. */
  readonly byId: boolean
  /** Hooks inspect the result: records are passed as instances. */
  readonly wantsInstances: boolean
  /** For each guard of calls without a principal: whether such calls may currently skip it. */
  readonly anonymousBypasses: readonly (() => boolean)[]
  /** Nothing is changed. */
  readonly isReading: boolean
  /** Application code runs in the call, which may need the caller. */
  readonly runsApplicationCode: boolean
}

/** Collects guards and remote hooks of an operation. Call it once no more of them can be added. */
export function compileOperation(
  operation: Operation,
  guards: readonly Guard[],
  hooks: RemoteHooks
): CompiledOperation {
  const [single, ...others] = operation.returns
  const { beforeAccess, afterAccess, before, after, onError } = hooksOf(operation, hooks)
  const runsApplicationCode = operation.runsApplicationCode === true
  const hasCode = [beforeAccess, afterAccess, before, after, onError].some((list) => list.length > 0)
  const isPlain = !runsApplicationCode && !hasCode
  return {
    operation,
    guards,
    beforeAccess,
    afterAccess,
    before,
    after,
    onError,
    runsApplicationCode,
    isPlain,
    isReading: isReading(operation.effect),
    anonymousBypasses: guards.flatMap(({ onlyForCallers, isOpen = () => false }) =>
      onlyForCallers === true ? [] : [isOpen]
    ),
    byId: operation.invokeById !== undefined && isPlain && guards.every((guard) => guard.ignoresInstance),
    wantsInstances: after.length > 0,
    required: operation.accepts.filter((argument) => argument.required),
    plainResult: single !== undefined && others.length === 0 && single.root && single.target === undefined
  }
}

type HooksOfCall = Pick<CompiledOperation, 'beforeAccess' | 'afterAccess' | 'before' | 'after' | 'onError'>

function hooksOf(operation: Operation, hooks: RemoteHooks): HooksOfCall {
  const method = methodString(operation)
  const steps = (moment: StepMoment): readonly RemoteHook[] => hooks.findSteps(moment, method)
  return {
    beforeAccess: steps('beforeAccess'),
    afterAccess: steps('afterAccess'),
    before: [...findHooks('before', operation, hooks), ...steps('beforeMethod')],
    after: [...steps('afterMethod'), ...findHooks('after', operation, hooks), ...steps('last')],
    onError: hooks.find('error', method)
  }
}

/** The hooks of a method, then those of the one that it delegates to. */
function findHooks(phase: 'before' | 'after', operation: Operation, hooks: RemoteHooks): readonly RemoteHook[] {
  const own = hooks.find(phase, methodString(operation))
  return operation.delegate === undefined ? own : [...own, ...hooks.findExact(phase, operation.delegate)]
}
