import { ScriptArgumentInvalid } from '../../errors.ts'
import { refusedMembers } from '../refuse-member.ts'
import { addGlobalHook, type HookPlace } from './remote-hooks.ts'

/** A phase of a call that scripts add steps to. */
export interface RemotesPhase {
  readonly use: (handler: unknown) => void
  readonly before: (handler: unknown) => void
  readonly after: (handler: unknown) => void
}

/** `app.remotes().phases`: the phases of a call, between which scripts put their own. */
export interface RemotesPhases {
  readonly addBefore: (phase: unknown, name: unknown) => RemotesPhase
  readonly addAfter: (phase: unknown, name: unknown) => RemotesPhase
  /** Adds a phase at the end. */
  readonly add: (name: unknown) => RemotesPhase
  readonly find: (name: unknown) => RemotesPhase | undefined
  readonly findOrAdd: (name: unknown) => RemotesPhase
  readonly getPhaseNames: () => string[]
  readonly registerHandler: (name: string, handler: unknown) => void
  readonly [refused: string]: unknown
}

const besideOnly = 'use addBefore or addAfter'

/** Members of LoopBack's lists of phases that are not there, with what to use. */
const replacements: Readonly<Record<string, string>> = {
  addAt: besideOnly,
  first: besideOnly,
  last: besideOnly,
  remove: 'phases stay',
  run: 'calls of clients run the phases',
  toArray: 'use getPhaseNames',
  zipMerge: besideOnly
}

/** When a step runs: ahead of hooks, among them, or once the method has answered. */
type Moment = 'first' | 'before' | 'after'

/** The moments of LoopBack's own phases: before it, in it and after it. */
const moments: Readonly<Record<string, readonly [before: Moment | undefined, use: Moment, after: Moment]>> = {
  auth: [undefined, 'first', 'first'],
  invoke: ['before', 'after', 'after']
}

/** @throws {ScriptArgumentInvalid} steps cannot be put there */
function unsupported(phase: string): never {
  throw new ScriptArgumentInvalid(
    `phases of remote methods can be added before "invoke" and after it, not at "${phase}": use middleware for what comes before access control`,
    { key: phase }
  )
}

/** Adds `(ctx, next)` at one of LoopBack's phases, such as `invoke:before`, for methods of a pattern. */
export function addAtPhase(place: HookPlace, phase: string, pattern: string, handler: unknown): void {
  const [name = '', at = 'use'] = phase.split(':')
  const [before, use, after] = moments[name] ?? []
  const moment = { before, use, after }[at]
  if (moment === undefined) return unsupported(phase)
  addGlobalHook(place, moment, pattern, handler)
}

function ownPhase(place: HookPlace, moment: Moment): RemotesPhase {
  const add = (handler: unknown): void => addGlobalHook(place, moment, '**', handler)
  return { use: add, before: add, after: add }
}

/**
 * The phases of remote methods, as LoopBack's documents use them to fill in `ctx.args.options`.
 * @see LoopBack 3: loopback-phase, lib/phase-list.js, and strong-remoting, lib/remote-objects.js
 */
export function remotesPhases(place: HookPlace): RemotesPhases {
  const names = ['auth', 'invoke']
  const own = new Map<string, RemotesPhase>()
  const define = (name: unknown, moment: Moment, index: number): RemotesPhase => {
    const phase = ownPhase(place, moment)
    own.set(String(name), phase)
    names.splice(index, 0, String(name))
    return phase
  }
  const standard = (name: string): RemotesPhase => ({
    use: (handler) => addAtPhase(place, name, '**', handler),
    before: (handler) => addAtPhase(place, `${name}:before`, '**', handler),
    after: (handler) => addAtPhase(place, `${name}:after`, '**', handler)
  })
  /** Steps of phases between `auth` and `invoke` run ahead of hooks; later ones after the method. */
  const beside = (phase: unknown, name: unknown, offset: 0 | 1): RemotesPhase => {
    const index = names.indexOf(String(phase))
    if (index < 0 || index + offset <= names.indexOf('auth')) return unsupported(String(phase))
    return define(name, index + offset <= names.indexOf('invoke') ? 'first' : 'after', index + offset)
  }
  const find = (name: unknown): RemotesPhase | undefined =>
    own.get(String(name)) ?? (Object.hasOwn(moments, String(name)) ? standard(String(name)) : undefined)
  const add = (name: unknown): RemotesPhase => define(name, 'after', names.length)
  return {
    ...refusedMembers('remotes.phases', replacements),
    addBefore: (phase, name) => beside(phase, name, 0),
    addAfter: (phase, name) => beside(phase, name, 1),
    add,
    find,
    findOrAdd: (name) => find(name) ?? add(name),
    getPhaseNames: () => [...names],
    registerHandler: (name, handler) => addAtPhase(place, name, '**', handler)
  }
}
