import { EventEmitter } from 'node:events'
import type { ModelRegistry, RemotePhase } from '@modelwire/core'
import { RegistrySealed } from '@modelwire/core/plugin'
import { markedHandler } from '../../express/marked-handler.ts'
import { ScriptArgumentInvalid } from '../../errors.ts'
import type { ScriptAuthorization } from '../../access/script-authorization.ts'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { memberError, refusedMember, refusedMembers, type Replacements, withMembers } from '../../script-members.ts'
import { addGlobalHook, type HookPlace } from './remote-hooks.ts'
import { type RemotesPhases, remotesPhases } from './remotes-phases.ts'
import { type SharedClass, sharedClassOf } from './shared-class.ts'
import type { SharedMethod } from './shared-method.ts'

/** Names of events that are hooks: `before.Product.find`. */
const hookEvent = /^(before|after|afterError)\.(.+)$/

const phaseOfEvent: Readonly<Record<string, RemotePhase>> = { before: 'before', after: 'after', afterError: 'error' }

/** `app.remotes()`: the remote methods of all public models, and hooks for patterns that include the model. */
export interface Remotes extends EventEmitter {
  readonly before: (pattern: string, hook: unknown) => void
  readonly after: (pattern: string, hook: unknown) => void
  readonly afterError: (pattern: string, hook: unknown) => void
  readonly classes: () => SharedClass[]
  readonly methods: () => SharedMethod[]
  /** The method with a name such as `Product.find` or `Product.prototype.patchAttributes`. */
  readonly findMethod: (stringName: string) => SharedMethod | undefined
  /** `(ctx, next)`: decides who may call what, instead of access control; undefined before `enableAuth`. */
  authorization: ScriptFunction | undefined
  readonly phases: RemotesPhases
  /** `remoting` of `config.json`. */
  readonly options: unknown
  /** LB3: objects other than models with shared methods. Here only models are shared. */
  readonly exports: object
  /** The REST API as a handler to be mounted with `app.use`. */
  readonly handler: (type: unknown, options?: unknown) => object
  /** Makes a model public. */
  readonly addClass: (sharedClass: unknown) => void
  /** Makes a model private. */
  readonly deleteClassByName: (name: string) => void
  readonly deleteTypeByName: (name: string) => void
  /** Adds `(ctx, next)` to a phase such as `invoke:before`, for methods that match a pattern. */
  readonly registerPhaseHandler: (phase: string, pattern: string, handler: unknown) => void
  /** The parameters and results of the methods, by name. */
  readonly toJSON: () => Record<string, object>
  [refused: string]: unknown
}

/** The dependencies of `app.remotes()`. */
export interface RemotesParts extends HookPlace {
  readonly authorization: ScriptAuthorization
  /** A script enabled access control. */
  readonly isAuthEnabled: () => boolean
  /** `remoting` of `config.json`. */
  readonly options: () => unknown
}

const types = 'declare the argument as a model, "object" or "any", and convert it in the method or in a before hook'
const client = 'call another server with fetch, or with a data source of the connector rest'

/** Members of LoopBack's remote objects that are not provided, with their replacements. */
export const missingOfRemotes: Replacements = {
  connect: client,
  invoke: client,
  defineType: types,
  defineObjectType: types,
  convert: types,
  adapter: "use app.handler('rest')",
  validateAdapter: "use app.handler('rest')",
  getRequiredAdapterMethods: "use app.handler('rest')",
  execHooks: 'hooks run around every call of a client',
  getScope: 'use ctx.getScope() in a hook',
  invokeMethodInContext: 'call the method of the model'
}

/** LB3: without a function every call passes. */
const allowAll: ScriptFunction = (_context, next) => {
  if (isFunction(next)) next()
}

/** @throws {ScriptArgumentInvalid} it is not a function, or is set too late */
function replaceAuthorization({ authorization, registry, isAuthEnabled }: RemotesParts, value: unknown): void {
  if (value !== undefined && value !== null && !isFunction(value))
    throw new ScriptArgumentInvalid('remotes.authorization must be a function', { key: 'authorization' })
  if (registry.sealed && !isAuthEnabled() && authorization.custom === undefined)
    throw new ScriptArgumentInvalid('remotes.authorization must be set before the application is started', {
      key: 'authorization'
    })
  authorization.custom = value === authorization.standard ? undefined : (value ?? allowAll)
}

/** Creates the result of `app.remotes()`. */
export function createRemotes(place: RemotesParts): Remotes {
  const { registry } = place
  const add = (phase: RemotePhase) => (pattern: string, hook: unknown) => addGlobalHook(place, phase, pattern, hook)
  const classes = (): SharedClass[] => publicModels(registry).map(sharedClassOf)
  const methods = (): SharedMethod[] => classes().flatMap((one) => one.methods())
  const { authorization, isAuthEnabled } = place
  const { phases, addAtPhase } = remotesPhases(place)
  const members = {
    ...refusedMembers('remotes', missingOfRemotes),
    get authorization() {
      return authorization.custom ?? (isAuthEnabled() ? authorization.standard : undefined)
    },
    set authorization(value: ScriptFunction | undefined) {
      replaceAuthorization(place, value)
    },
    before: add('before'),
    after: add('after'),
    afterError: add('error'),
    classes,
    methods,
    findMethod: (stringName: string) => methods().find((method) => method.stringName === stringName),
    phases,
    get options() {
      return place.options()
    },
    exports: refusedExports(),
    ...classMembers(registry),
    registerPhaseHandler: addAtPhase,
    toJSON: () => Object.fromEntries(methods().map((method) => [method.stringName, describe(method)]))
  }
  // Members that are refused have no types of their own.
  const all: typeof members & Record<string, unknown> = members
  return withMembers(remotesEvents(place), all)
}

const describe = ({ http, accepts, returns }: SharedMethod): object => ({ http, accepts, returns, errors: [] })

/** LB3: whatever is put there is shared; here a model has to be. */
function refusedExports(): object {
  return new Proxy(
    {},
    {
      set: refusedMember('remotes.exports', 'define a model and declare its methods by Model.remoteMethod'),
      defineProperty: refusedMember('remotes.exports', 'define a model and declare its methods by Model.remoteMethod')
    }
  )
}

type ClassMembers = Pick<Remotes, 'handler' | 'addClass' | 'deleteClassByName' | 'deleteTypeByName'>

function classMembers(registry: ModelRegistry): ClassMembers {
  const show = (name: string, isPublic: boolean): void => {
    const model = registry.find(name)
    if (model === undefined) return
    if (registry.sealed)
      throw new RegistrySealed('the API is mounted, so models can no longer be shared or hidden', { model: name })
    model.definition.public = isPublic
  }
  return {
    handler: (type, options) => {
      if (type === 'rest') return markedHandler('rest', options)
      throw memberError(`remotes.handler('${String(type)}')`, "only REST is supported: 'rest'")
    },
    addClass: (sharedClass) => {
      const name: unknown = Reflect.get(Object(sharedClass), 'name')
      if (typeof name !== 'string' || registry.find(name) === undefined)
        throw new ScriptArgumentInvalid('remotes.addClass requires the sharedClass of a model')
      show(name, true)
    },
    deleteClassByName: (name) => show(name, false),
    // Types of arguments are models, which have no other entry.
    deleteTypeByName: () => {}
  }
}

function publicModels(registry: ModelRegistry): ReturnType<ModelRegistry['typeOf']>[] {
  const models = registry.names().map((name) => registry.typeOf(name))
  return models.filter(({ definition }) => definition.public === true)
}

/** The emitter that `app.remotes()` is: listeners of `before.Product.find` and its kin are hooks. */
function remotesEvents(place: HookPlace): EventEmitter {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const listen = emitter.on.bind(emitter)
  const on = (event: string, listener: (...args: unknown[]) => void): EventEmitter => {
    const [, kind = '', pattern = ''] = hookEvent.exec(event) ?? []
    const phase = phaseOfEvent[kind]
    if (phase === undefined) listen(event, listener)
    else addGlobalHook(place, phase, pattern, listener)
    return emitter
  }
  return Object.assign(emitter, { on, addListener: on })
}
