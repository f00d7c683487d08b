import type { RemoteHook, ModelRegistry } from '@modelwire/core'
import { orderPhases } from '../../express/middleware-entry.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import { refusedMembers } from '../../script-members.ts'
import {
  createPhase,
  partsOfPhase,
  type PhasePart,
  refuseLateSteps,
  type RemotesPhase,
  stepForMethods,
  stepsOfPart
} from './phase.ts'
import type { HookPlace } from './remote-hooks.ts'

type FindSteps = Parameters<ModelRegistry['remoteHooks']['addSteps']>[0]

/** `app.remotes().phases`: the phases of a call, between which scripts add their own. */
export interface RemotesPhases {
  readonly addBefore: (phase: unknown, added: unknown) => RemotesPhase
  readonly addAfter: (phase: unknown, added: unknown) => RemotesPhase
  readonly addAt: (index: number, added: unknown) => RemotesPhase
  /** Adds a phase, or a list of them, at the end. */
  readonly add: (added: unknown) => RemotesPhase | RemotesPhase[]
  /** Removes a phase added by scripts; returns null if there is none. */
  readonly remove: (phase: unknown) => RemotesPhase | null
  readonly find: (name: unknown) => RemotesPhase | null
  readonly findOrAdd: (name: unknown) => RemotesPhase
  readonly first: () => RemotesPhase | undefined
  readonly last: () => RemotesPhase | undefined
  readonly toArray: () => RemotesPhase[]
  readonly getPhaseNames: () => string[]
  /** Adds phases between the existing ones, in the order of the list. */
  readonly zipMerge: (names: readonly unknown[]) => void
  /** Adds `(ctx, next)` to a phase such as `invoke`, `auth:before` or `invoke:after`. */
  readonly registerHandler: (phase: unknown, handler: unknown) => void
  readonly [refused: string]: unknown
}

/** Adds `(ctx, next)` to a phase, for methods that match a pattern. */
export type AddAtPhase = (phase: string, pattern: string, handler: unknown) => void

/** Members of LoopBack's lists of phases that are not there, with what to use. */
const replacements = { run: 'the phases run for calls from clients' }

/** LoopBack's own phases: access control, and the method with its hooks. */
const own = ['auth', 'invoke'] as const

const nameOf = (phase: unknown): string => String(Reflect.get(Object(phase), 'id') ?? phase)

function checkNew(phases: readonly RemotesPhase[], phase: RemotesPhase): RemotesPhase {
  if (phases.every(({ id }) => id !== phase.id)) return phase
  throw new ScriptArgumentInvalid(`the phase "${phase.id}" already exists`, { key: phase.id })
}

/** A phase that a script made itself, as the package loopback-phase has them. */
const isPhase = (value: unknown): value is RemotesPhase =>
  partsOfPhase.every((part) => Array.isArray(Reflect.get(Object(value), part)))

function existing(list: readonly RemotesPhase[], name: unknown): RemotesPhase {
  const found = list.find(({ id }) => id === nameOf(name))
  if (found !== undefined) return found
  throw new ScriptArgumentInvalid(`unknown phase of methods "${String(name)}"`, { key: String(name) })
}

/**
 * The phases of remote methods. Those before `auth` run before access control.
 * @see LoopBack 3: loopback-phase, lib/phase-list.js, and strong-remoting, lib/remote-objects.js
 */
export function remotesPhases(place: HookPlace): { phases: RemotesPhases; addAtPhase: AddAtPhase } {
  const list: RemotesPhase[] = own.map((name) => createPhase(place, name))
  place.registry.remoteHooks.addSteps(stepFinder(place, list))
  const make = (added: unknown): RemotesPhase => {
    refuseLateSteps(place.registry, nameOf(added))
    return checkNew(list, isPhase(added) ? added : createPhase(place, String(added)))
  }
  const addAt = (index: number, added: unknown): RemotesPhase => {
    const phase = make(added)
    list.splice(index, 0, phase)
    return phase
  }
  const indexOf = (name: unknown): number => list.indexOf(existing(list, name))
  const addLast = (added: unknown): RemotesPhase => addAt(list.length, added)
  const find = (name: unknown): RemotesPhase | null => list.find(({ id }) => id === name) ?? null
  const register = (at: unknown, handler: unknown): void => {
    const [, name = at, part] = /^(.+):(before|after)$/.exec(String(at)) ?? []
    const phase = existing(list, name)
    if (part === 'before') phase.before(handler)
    else if (part === 'after') phase.after(handler)
    else phase.use(handler)
  }
  const phases: RemotesPhases = {
    ...refusedMembers('remotes.phases', replacements),
    addAt,
    addBefore: (phase, added) => addAt(indexOf(phase), added),
    addAfter: (phase, added) => addAt(indexOf(phase) + 1, added),
    add: (added) => (Array.isArray(added) ? added.map(addLast) : addLast(added)),
    remove: (phase) => removePhase(list, phase),
    find,
    findOrAdd: (name) => find(name) ?? addLast(name),
    first: () => list[0],
    last: () => list.at(-1),
    toArray: () => [...list],
    getPhaseNames: () => list.map(({ id }) => id),
    zipMerge: (names) => mergePhases(list, names.map(String), make),
    registerHandler: register
  }
  return { phases, addAtPhase: (phase, pattern, handler) => register(phase, stepForMethods(pattern, handler)) }
}

/** @throws {ScriptArgumentInvalid} access control and the method itself stay */
function removePhase(list: RemotesPhase[], phase: unknown): RemotesPhase | null {
  const found = list.find(({ id }) => id === nameOf(phase))
  if (found === undefined) return null
  if (own.some((name) => name === found.id))
    throw new ScriptArgumentInvalid(`the phase "${found.id}" cannot be removed`, { key: found.id })
  list.splice(list.indexOf(found), 1)
  return found
}

function mergePhases(list: RemotesPhase[], names: readonly string[], make: (name: string) => RemotesPhase): void {
  const order = orderPhases(
    names,
    () => '',
    list.map(({ id }) => id)
  )
  const merged = order.map((name) => list.find(({ id }) => id === name) ?? make(name))
  list.splice(0, list.length, ...merged)
}

type Part = readonly [phase: RemotesPhase, part: PhasePart]

const wholly = (phases: readonly RemotesPhase[]): Part[] =>
  phases.flatMap((phase) => partsOfPhase.map((part): Part => [phase, part]))

/** Finds the steps of methods around access control and the method. */
function stepFinder(place: HookPlace, list: readonly RemotesPhase[]): FindSteps {
  const parts: Readonly<Record<Parameters<FindSteps>[0], () => Part[]>> = {
    beforeAccess: () => [...wholly(until('auth')), [standard('auth'), 'beforeHandlers']],
    afterAccess: () => [
      [standard('auth'), 'handlers'],
      [standard('auth'), 'afterHandlers'],
      ...wholly(list.slice(list.indexOf(standard('auth')) + 1, list.indexOf(standard('invoke'))))
    ],
    beforeMethod: () => [[standard('invoke'), 'beforeHandlers']],
    afterMethod: () => [[standard('invoke'), 'handlers']],
    last: () => [[standard('invoke'), 'afterHandlers'], ...wholly(list.slice(list.indexOf(standard('invoke')) + 1))]
  }
  const standard = (name: string): RemotesPhase => existing(list, name)
  const until = (name: string): readonly RemotesPhase[] => list.slice(0, list.indexOf(standard(name)))
  return (moment, method) =>
    parts[moment]().flatMap(([phase, part]): RemoteHook[] => stepsOfPart(place, phase, part, method))
}
