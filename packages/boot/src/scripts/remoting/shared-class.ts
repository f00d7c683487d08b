import { type ModelType, nameOfRecords, type Operation } from '@modelwire/core/plugin'
import { listOperations } from '@modelwire/rest'
import { declareMethod } from '../model/declare-method.ts'
import { refusedMember } from '../refuse-member.ts'
import { type SharedMethod, sharedMethod } from './shared-method.ts'

/** `Model.sharedClass`: the remote methods of a model. */
export interface SharedClass {
  readonly name: string
  readonly ctor: unknown
  readonly http: { readonly path: string }
  /** Those that are switched off only on request. */
  readonly methods: (options?: { includeDisabled?: boolean }) => SharedMethod[]
  /** The method of this name or alias, `prototype.` for those of instances; undefined when it is switched off. */
  readonly findMethodByName: (name: string) => SharedMethod | undefined
  /** The way of version 2: the name without `prototype.`; null when there is none. */
  readonly find: (name: unknown, isStatic?: boolean) => SharedMethod | null
  readonly disableMethodByName: (name: string) => void
  /** Declares a remote method. */
  readonly defineMethod: (name: string, spec?: unknown) => void
  readonly isMethodEnabled: (method: SharedMethod) => boolean
  readonly options: object
  /** All methods, those that are switched off as well. */
  readonly _methods: readonly SharedMethod[]
  /** The names of methods that are switched off. */
  readonly _disabledMethods: Readonly<Record<string, true>>
  readonly resolve: () => never
  /** None: `methods` has those of relations as well. */
  readonly _resolvers: readonly never[]
  readonly sharedCtor: () => never
  /** The way of version 2. */
  readonly disableMethod: (name: string, isStatic?: boolean) => void
}

const made = new WeakMap<ModelType, SharedClass>()

/**
 * The shared class of a model; the same one every time. It reflects what scripts and the definition have declared so
 * far.
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
