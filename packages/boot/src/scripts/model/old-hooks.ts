import type { Model } from '@modelwire/core'
import { type ActionHooks, andThen, type Awaitable, type RecordAction, typeOf } from '@modelwire/core/plugin'
import { callNext, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { HookEndedCall } from '../../errors.ts'

type Stage = 'before' | 'after'

/** The names that a hook may have, the first of which counts. */
function namesOf(stage: Stage, action: string): readonly string[] {
  const named = action.charAt(0).toUpperCase() + action.slice(1)
  const names = [`${stage}${named}`, `${stage === 'before' ? 'pre' : 'post'}${named}`]
  return action === 'validate' ? [...names, `${stage}Validation`] : names
}

const actions = ['validate', 'create', 'save', 'update', 'destroy'] as const
const names = Object.fromEntries(
  actions.map((action) => [action, { before: namesOf('before', action), after: namesOf('after', action) }])
) as Readonly<Record<RecordAction, Readonly<Record<Stage, readonly string[]>>>> // these are all actions
const ofInitialize = namesOf('after', 'initialize')

/** The hooks of LoopBack 1 by their names; a model has them where a script sets them. */
export const oldHookNames: readonly string[] = [
  ...actions.flatMap((action) => [...names[action].before, ...names[action].after]),
  ...ofInitialize
]

interface Hook {
  readonly name: string
  readonly run: ScriptFunction
}

function hookOf(record: object, hooks: readonly string[]): Hook | undefined {
  for (const name of hooks) {
    const run: unknown = Reflect.get(record.constructor, name)
    if (isFunction(run)) return { name, run }
  }
  return undefined
}

/**
 * Calls the hooks of LoopBack 1 of an application's models.
 * @see LoopBack 3: loopback-datasource-juggler, lib/hooks.js, trigger
 */
export const oldHooks: ActionHooks = {
  has: (record, wanted) =>
    wanted.some((action) => hookOf(record, [...names[action].before, ...names[action].after]) !== undefined),
  before: (record, action, data) => {
    const hook = hookOf(record, names[action].before)
    if (hook === undefined) return true
    return andThen(callNext(hook.run, record, [data]), (args) => shouldContinue(record, action, hook, args))
  },
  after: (record, action): Awaitable<void> => {
    const hook = hookOf(record, names[action].after)
    // LB3: what such a hook calls back with is not looked at.
    return hook === undefined ? undefined : andThen(callNext(hook.run, record, []), () => {})
  }
}

/** @throws what the hook called back with: any argument ends the call */
function shouldContinue(
  record: Model,
  action: RecordAction,
  { name }: Hook,
  args: readonly unknown[]
): boolean | Promise<never> {
  if (args.length === 0) return true
  if (action === 'validate') return false
  const [error] = args
  if (error) return Promise.reject(error)
  throw new HookEndedCall(
    `${typeOf(record).name}.${name} called next with an argument that is not an error: it was ignored`
  )
}

/** Runs `afterInitialize` of a record that was just made. */
export function initialize(record: object): void {
  hookOf(record, ofInitialize)?.run.call(record, undefined)
}

/** `Model.beforeSave` and its kin: null until a script sets them. */
export function oldHookMembers(): PropertyDescriptorMap {
  const members = oldHookNames.map((name) => {
    const set = function (this: typeof Model, value: unknown): void {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
      this.modelType.hooks.requireInstances()
    }
    return [name, { get: () => null, set, configurable: true }] as const
  })
  return Object.fromEntries(members)
}
