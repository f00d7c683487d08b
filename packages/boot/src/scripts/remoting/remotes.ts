import type { EventEmitter } from 'node:events'
import type { ModelRegistry, RemotePhase } from '@modelwire/core'
import { RegistrySealed } from '@modelwire/core/plugin'
import { markedHandler, ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ScriptAuthorization } from '../../access/script-authorization.ts'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { memberError, refusedMember, refusedMembers, type Replacements } from '../refuse-member.ts'
import { addGlobalHook, type HookPlace } from './remote-hooks.ts'
import { remotesEvents } from './remotes-events.ts'
import { type RemotesPhases, remotesPhases } from './remotes-phases.ts'
import { type SharedClass, sharedClassOf } from './shared-class.ts'
import type { SharedMethod } from './shared-method.ts'

/** `app.remotes()`: the remote methods of all public models, and hooks for patterns that name the model. */
export interface Remotes extends EventEmitter {
  readonly before: (pattern: string, hook: unknown) => void
  readonly after: (pattern: string, hook: unknown) => void
  readonly afterError: (pattern: string, hook: unknown) => void
  readonly classes: () => SharedClass[]
  readonly methods: () => SharedMethod[]
  /** The method called `Product.find` or `Product.prototype.patchAttributes`. */
  readonly findMethod: (stringName: string) => SharedMethod | undefined
  /** `(ctx, next)`: decides who may call what, instead of access control; undefined before `enableAuth`. */
  authorization: ScriptFunction | undefined
  readonly phases: RemotesPhases
  /** `remoting` of `config.json`. */
  readonly options: unknown
  /** LB3: objects besides models whose methods are shared. Models are what is shared here. */
  readonly exports: object
  /** The REST API as a handler that is mounted by `app.use`. */
  readonly handler: (type: unknown, options?: unknown) => object
  /** Makes a model public. */
  readonly addClass: (sharedClass: unknown) => void
  /** Makes a model private. */
  readonly deleteClassByName: (name: string) => void
  readonly deleteTypeByName: (name: string) => void
  /** Adds `(ctx, next)` at a phase such as `invoke:before`, for methods of a pattern. */
  readonly registerPhaseHandler: (phase: string, pattern: string, handler: unknown) => void
  /** What the methods take and give, by their names. */
  readonly toJSON: () => Record<string, object>
  [refused: string]: unknown
}

/** What `app.remotes()` is made of. */
export interface RemotesParts extends HookPlace {
  readonly authorization: ScriptAuthorization
  /** A script enabled access control. */
  readonly isAuthEnabled: () => boolean
  /** `remoting` of `config.json`. */
  readonly options: () => unknown
}

const types = 'declare the argument as a model, "object" or "any", and convert it in the method or in a before hook'
const client = 'call another server by fetch, or by a data source of the connector rest'

/** Members of LoopBack's remote objects that are not there, with what to use. */
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

/** Makes what `app.remotes()` gives. */
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
  const remotes = Object.defineProperties(remotesEvents(place), Object.getOwnPropertyDescriptors(members))
  return remotes as unknown as Remotes // the members complete the emitter
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
      throw memberError(`remotes.handler('${String(type)}')`, "REST is the only way of calling methods: 'rest'")
    },
    addClass: (sharedClass) => {
      const name: unknown = Reflect.get(Object(sharedClass), 'name')
      if (typeof name !== 'string' || registry.find(name) === undefined)
        throw new ScriptArgumentInvalid('remotes.addClass needs the sharedClass of a model')
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
