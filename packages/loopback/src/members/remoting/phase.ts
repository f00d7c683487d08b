import { ScriptArgumentInvalid } from '../../errors.ts'
import { callHook, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import type { HookPlace } from './remote-hooks.ts'
import type { ModelRegistry, RemoteHook } from '@modelwire/core'
import { RegistrySealed } from '@modelwire/core/plugin'

/**
 * A phase of a call to which scripts add steps.
 * @see LoopBack 3: loopback-phase, lib/phase.js
 */
export interface RemotesPhase {
  readonly id: string
  readonly beforeHandlers: ScriptFunction[]
  readonly handlers: ScriptFunction[]
  readonly afterHandlers: ScriptFunction[]
  /** Adds `(ctx, next)`. */
  readonly use: (handler: unknown) => RemotesPhase
  readonly before: (handler: unknown) => RemotesPhase
  readonly after: (handler: unknown) => RemotesPhase
  readonly toString: () => string
}

/** The three parts of a phase, in the order in which they run. */
export const partsOfPhase = ['beforeHandlers', 'handlers', 'afterHandlers'] as const

/** One of the parts of a phase. */
export type PhasePart = (typeof partsOfPhase)[number]

/** @throws {RegistrySealed} methods are mounted: their steps were read */
export function refuseLateSteps({ remoteHooks }: ModelRegistry, phase: string): void {
  if (!remoteHooks.isSealed) return
  throw new RegistrySealed(`the API is mounted, so a step of the phase "${phase}" would never run`, { key: phase })
}

/** Makes a phase without steps. */
export function createPhase({ registry }: HookPlace, id: string): RemotesPhase {
  const add = (part: PhasePart) => (handler: unknown) => {
    refuseLateSteps(registry, id)
    if (!isFunction(handler)) throw new ScriptArgumentInvalid(`a step of the phase "${id}" must be a function`)
    phase[part].push(handler)
    return phase
  }
  const phase: RemotesPhase = {
    id,
    beforeHandlers: [],
    handlers: [],
    afterHandlers: [],
    use: add('handlers'),
    before: add('beforeHandlers'),
    after: add('afterHandlers'),
    toString: () => id
  }
  return phase
}

const methodsOf = new WeakMap<ScriptFunction, RegExp>()

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `*` is one name between dots, `**` is one or more. */
function matcherOf(pattern: string): RegExp {
  const wildcards: Readonly<Record<string, string>> = { '*': '[^.]*', '**': '.*' }
  return new RegExp(
    `^${pattern
      .split('.')
      .map((name) => wildcards[name] ?? escape(name))
      .join('\\.')}$`
  )
}

/** A step for only the methods that match a pattern, such as `Product.*`. */
export function stepForMethods(pattern: string, handler: unknown): unknown {
  if (!isFunction(handler)) return handler
  const step: ScriptFunction = (context, next) => handler(context, next)
  methodsOf.set(step, matcherOf(pattern))
  return step
}

/** The steps of a part that run for a method, as hooks. */
export function stepsOfPart({ warn }: HookPlace, phase: RemotesPhase, part: PhasePart, method: string): RemoteHook[] {
  const isMeant = (step: ScriptFunction): boolean => methodsOf.get(step)?.test(method) ?? true
  const onSecondAnswer = (): void =>
    warn(`a step of the phase "${phase.id}" called back twice for ${method}: only the first call counts`)
  return phase[part].filter(isMeant).map(
    (step): RemoteHook =>
      (context) =>
        callHook(step, undefined, [context], { onSecondAnswer })
  )
}
