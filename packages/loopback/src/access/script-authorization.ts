import { ScriptArgumentInvalid } from '../errors.ts'
import { type Callback, isFunction, isPromiseLike, type ScriptFunction } from '../callback-bridge.ts'
import { memberOf } from '../script-members.ts'
import { OperationContext } from '@modelwire/core'
import { type Guard, modelByType, type Operation } from '@modelwire/core/plugin'
import { unlessRefused } from '@modelwire/server'

/** How clients' calls are authorized: by access control, unless a script replaces it by a function. */
export interface ScriptAuthorization {
  /** The script's function; undefined if access control decides. */
  custom: ScriptFunction | undefined
  /** The value of `remotes.authorization` after `enableAuth`: access control, or `checkAccess` of the model. */
  readonly standard: ScriptFunction
  /** Whether access control allows a call in progress; undefined if it does not guard it. */
  readonly obeysRules: (context: unknown) => Promise<boolean | undefined>
  /** Makes the guard that lets a script's functions decide in place of access control. */
  readonly around: (operation: Operation, guard: Guard, denial: (context: OperationContext) => Error) => Guard
}

interface Guarded {
  readonly guard: Guard
  readonly denial: (context: OperationContext) => Error
}

/** Waits for the callback of a script alone, as LoopBack does: a promise can only fail, never allow. */
function callBack(fn: ScriptFunction, self: unknown, args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback: Callback = (error, value) => (error ? reject(error) : resolve(value))
    const watch = async (promise: PromiseLike<unknown>): Promise<void> => {
      try {
        await promise
      } catch (error) {
        reject(error)
      }
    }
    const returned = fn.apply(self, [...args, callback])
    if (isPromiseLike(returned)) void watch(returned)
  })
}

/**
 * The id that a call is about.
 * @see LoopBack 3: loopback, lib/application.js, enableAuth
 */
function modelIdOf({ instance, req, id }: OperationContext): unknown {
  const own: unknown = instance === undefined ? undefined : Reflect.get(instance, 'id')
  if (own !== undefined && own !== null && own !== '') return own
  const places = ['params', 'body', 'query'].map((name) => memberOf(req, name))
  return places.map((place) => memberOf(place, 'id')).find((each) => each !== undefined) ?? id
}

const tokenOf = ({ req }: OperationContext): unknown => memberOf(req, 'accessToken')

/** True if a script replaced the function of a model, or the one of `ACL` that it calls. */
export function decidesItself({ registry, modelClass }: Operation['model']): boolean {
  const rules = modelByType(registry, 'ACL')?.modelClass
  const checker: unknown = rules && Reflect.get(rules, 'checkAccessForContext')
  const replaced = Reflect.get(modelClass, 'checkAccess') !== Reflect.get(registry.rootClass, 'checkAccess')
  return replaced || (isFunction(checker) && !isBuiltIn(checker))
}

const builtIn: unique symbol = Symbol('built in')

/** Marks the built-in function of `ACL`, to distinguish it from a script's replacement. */
export function markBuiltIn(fn: ScriptFunction): ScriptFunction {
  return Object.assign(fn, { [builtIn]: true })
}

/** True for the built-in function of `ACL`. */
export const isBuiltIn = (fn: unknown): boolean => isFunction(fn) && builtIn in fn

/** @throws what the model's own function refuses with */
async function askModel(context: OperationContext, denial: Guarded['denial']): Promise<void> {
  const { modelClass } = context.operation.model
  const check: unknown = Reflect.get(modelClass, 'checkAccess')
  // LB3: a model without the function is open.
  if (!isFunction(check)) return
  const args = [tokenOf(context), modelIdOf(context), context.method, context]
  if (!(await callBack(check, modelClass, args))) throw denial(context)
}

/** Makes the authorization of one application. */
export function createAuthorization(): ScriptAuthorization {
  const guarded = new WeakMap<Operation, Guarded>()
  const guardedBy = (context: unknown): Guarded | undefined =>
    context instanceof OperationContext ? guarded.get(context.operation) : undefined
  const decide = async (context: OperationContext, { guard, denial }: Guarded): Promise<void> =>
    decidesItself(context.operation.model) ? askModel(context, denial) : guard(context)
  const standard: ScriptFunction = (context, next) => {
    if (!isFunction(next)) throw new ScriptArgumentInvalid('authorization requires a callback')
    const found = guardedBy(context)
    if (found === undefined || !(context instanceof OperationContext)) next()
    else void settle(decide(context, found), next)
  }
  const authorization: ScriptAuthorization = {
    custom: undefined,
    standard,
    obeysRules: async (context) => {
      const found = guardedBy(context)
      return found && unlessRefused(async () => passes(found, context as OperationContext), false) // it is found by one
    },
    around: (operation, guard, denial) => {
      const own = { guard, denial }
      guarded.set(operation, own)
      const isScripts = (): boolean => authorization.custom !== undefined || decidesItself(operation.model)
      const wrapped: Guard = (context) => {
        if (!isScripts()) return guard(context)
        const { custom } = authorization
        return custom === undefined ? askModel(context, denial) : authorize(custom, context)
      }
      const { isOpen = () => false, onlyForCallers = false, ignoresInstance = false, answerToAll } = guard
      const ignoresArguments = (): boolean => !isScripts() && guard.ignoresArguments?.() === true
      return Object.assign(wrapped, {
        isOpen: () => !isScripts() && (onlyForCallers || isOpen()),
        ignoresArguments,
        ignoresInstance: ignoresInstance && !isScripts(),
        answerToAll: isScripts() ? undefined : onlyForCallers || answerToAll
      })
    }
  }
  return authorization
}

async function authorize(custom: ScriptFunction, context: OperationContext): Promise<void> {
  await callBack(custom, undefined, [context])
}

/** @throws what the call is refused with */
async function passes({ guard }: Guarded, context: OperationContext): Promise<true> {
  await guard(context)
  return true
}

async function settle(deciding: Promise<void>, next: ScriptFunction): Promise<void> {
  try {
    await deciding
  } catch (error) {
    // Whoever is refused without an error is refused all the same.
    next(error ?? new Error('the call is refused'))
    return
  }
  next()
}
