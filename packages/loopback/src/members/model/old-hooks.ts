import type { Model } from '@modelwire/core'
import { typeOf, type Registry } from '@modelwire/core/plugin'
import { andThen, type Awaitable } from '@modelwire/server'
import { callNext, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { HookEndedCall } from '../../errors.ts'
import { type MemberRow, setOwnMember } from '../../script-members.ts'

type ActionHooks = NonNullable<Registry['actionHooks']>

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
) as Readonly<Record<Parameters<ActionHooks['after']>[1], Readonly<Record<Stage, readonly string[]>>>> // these are all actions
const ofInitialize = namesOf('after', 'initialize')

/** The hooks of LoopBack 1 by name; a model has them if a script sets them. */
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
  action: Parameters<ActionHooks['after']>[1],
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

/** Runs `afterInitialize` of a record that was just created. */
export function initialize(record: object): void {
  hookOf(record, ofInitialize)?.run.call(record, undefined)
}

/** `Model.beforeSave` and the like: null until a script sets them. */
export const oldHookMembers: readonly MemberRow<typeof Model>[] = oldHookNames.map((name) => [
  name,
  'getter',
  () => null,
  (model, value) => {
    setOwnMember(model, name, value)
    model.modelType.hooks.requireInstances()
  }
])
