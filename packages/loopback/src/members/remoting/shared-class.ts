import type { Operation } from '@modelwire/core/plugin'
import { type ModelType, nameOfRecords } from '@modelwire/core/connector'
import { listOperations } from '@modelwire/rest'
import { declareMethod } from '../definition/define-script-model.ts'
import { refusedMember } from '../../script-members.ts'
import { type SharedMethod, sharedMethod } from './shared-method.ts'

/** `Model.sharedClass`: the remote methods of a model. */
export interface SharedClass {
  readonly name: string
  readonly ctor: unknown
  readonly http: { readonly path: string }
  /** Returns the methods; disabled ones only on request. */
  readonly methods: (options?: { includeDisabled?: boolean }) => SharedMethod[]
  /** The method with this name or alias, with `prototype.` for instance methods; undefined if it is disabled. */
  readonly findMethodByName: (name: string) => SharedMethod | undefined
  /** As in version 2: the name without `prototype.`; null if there is none. */
  readonly find: (name: unknown, isStatic?: boolean) => SharedMethod | null
  readonly disableMethodByName: (name: string) => void
  /** Declares a remote method. */
  readonly defineMethod: (name: string, spec?: unknown) => void
  readonly isMethodEnabled: (method: SharedMethod) => boolean
  readonly options: object
  /** All methods, including disabled ones. */
  readonly _methods: readonly SharedMethod[]
  /** The names of disabled methods. */
  readonly _disabledMethods: Readonly<Record<string, true>>
  readonly resolve: () => never
  /** None: `methods` also contains those of relations. */
  readonly _resolvers: readonly never[]
  readonly sharedCtor: () => never
  /** As in version 2. */
  readonly disableMethod: (name: string, isStatic?: boolean) => void
}

const made = new WeakMap<ModelType, SharedClass>()

/**
 * The shared class of a model; the same one every time. It reflects the declarations of scripts and the definition so far.
 * @see LoopBack 3: strong-remoting, lib/shared-class.js
 */
export function sharedClassOf(model: ModelType): SharedClass {
  const cached = made.get(model)
  if (cached !== undefined) return cached
  const disableMethodByName = (name: string): void => model.methods.disable(name)
  const findMethodByName = (name: string): SharedMethod | undefined => {
    const found = listOperations(model, undefined).find((operation) => isCalled(operation, name))
    return found === undefined ? undefined : viewOf(found, view)
  }
  const view: SharedClass = {
    name: model.name,
    ctor: model.modelClass,
    http: { path: `/${model.httpPath}` },
    methods: ({ includeDisabled = false } = {}) =>
      listOperations(includeDisabled ? allowingAll(model) : model, undefined).map((one) => viewOf(one, view)),
    findMethodByName,
    find: (name, isStatic) => findMethodByName(fullName(String(name), isStatic)) ?? null,
    disableMethodByName,
    defineMethod: (name, spec = {}) => declareMethod(model, name, spec),
    isMethodEnabled: ({ name, isStatic }) => findMethodByName(fullName(name, isStatic)) !== undefined,
    options: {},
    get _methods() {
      return Object.freeze(view.methods({ includeDisabled: true }))
    },
    get _disabledMethods() {
      return Object.freeze(Object.fromEntries(Array.from(model.methods.disabled, (name) => [name, true as const])))
    },
    _resolvers: Object.freeze([]),
    resolve: refusedMember('sharedClass.resolve', 'declare each method by Model.remoteMethod'),
    sharedCtor: refusedMember('sharedClass.sharedCtor', 'use Model.beforeRemote("prototype.*", …)'),
    disableMethod: (name, isStatic) => disableMethodByName(fullName(name, isStatic))
  }
  made.set(model, view)
  return view
}

function viewOf(operation: Operation, sharedClass: SharedClass): SharedMethod {
  return sharedMethod(operation, {
    sharedClass,
    isShared: () => sharedClass.findMethodByName(operation.name) !== undefined,
    disable: () => sharedClass.disableMethodByName(operation.name)
  })
}

function isCalled({ name, aliases, onInstance }: Operation, wanted: string): boolean {
  return name === wanted || aliases.some((alias) => (onInstance ? nameOfRecords(alias) : alias) === wanted)
}

/** The model as if nothing were switched off. */
function allowingAll(model: ModelType): ModelType {
  const { specs } = model.methods
  const methods = Object.assign(Object.create(model.methods) as ModelType['methods'], { specs }) // a table of methods
  Object.defineProperty(methods, 'disabled', { value: new Set() })
  return { ...model, methods, definition: { ...model.definition, remoting: { sharedMethods: { '*': true } } } }
}

function fullName(name: string, isStatic: boolean | undefined): string {
  return isStatic === true ? name : nameOfRecords(name)
}
