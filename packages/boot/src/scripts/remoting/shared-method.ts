import { methodString, type Operation, shortName } from '@modelwire/core/plugin'
import { propertyConstructor } from '../model/property-view.ts'

/** An argument or a result of a method, in LoopBack's words. */
export interface SharedValue {
  readonly arg: string
  readonly type: unknown
  readonly required?: boolean
  readonly root?: boolean
  readonly description?: string
}

/** A remote method as scripts find it in `Model.sharedClass`. It can be read, and switched off by `shared = false`. */
export interface SharedMethod {
  /** Without `prototype.`. */
  readonly name: string
  readonly isStatic: boolean
  /** `Product.prototype.patchAttributes`. */
  readonly stringName: string
  readonly aliases: readonly string[]
  readonly accepts: readonly SharedValue[]
  readonly returns: readonly SharedValue[]
  /** One endpoint, or a list of several. */
  readonly http: unknown
  readonly description: string | undefined
  readonly documented: boolean
  readonly accessType: string
  readonly ctor: unknown
  readonly sharedClass: unknown
  shared: boolean
}

/** What a method belongs to. */
export interface MethodOwner {
  readonly sharedClass: unknown
  readonly isShared: () => boolean
  readonly disable: () => void
}

/** The view of an operation for scripts. Frozen: the method cannot be changed through it. */
export function sharedMethod(operation: Operation, owner: MethodOwner): SharedMethod {
  const { name, onInstance, aliases, accepts, returns, endpoints, description, documented, accessType } = operation
  const http = endpoints.map(({ verb, path }) => ({
    verb: verb.toLowerCase(),
    path: onInstance ? path.replace(/^\/:id/, '') || '/' : path
  }))
  return Object.freeze({
    name: shortName(name),
    isStatic: !onInstance,
    stringName: methodString(operation),
    aliases,
    accepts: accepts.map(({ name: arg, type, required, description: text }) => ({
      ...valueView(arg, type, text),
      ...(required ? { required } : {})
    })),
    returns: returns.map(({ name: arg, type, root, description: text }) => ({
      ...valueView(arg, type, text),
      ...(root ? { root } : {})
    })),
    http: http.length === 1 ? http[0] : http,
    description,
    documented,
    accessType,
    ctor: operation.model.modelClass,
    sharedClass: owner.sharedClass,
    get shared() {
      return owner.isShared()
    },
    set shared(value: boolean) {
      if (!value) owner.disable()
    }
  })
}

function typeView(type: Operation['returns'][number]['type']): SharedValue['type'] {
  if (type.kind === 'stream') return 'ReadableStream'
  return type.kind === 'file' ? 'file' : propertyConstructor(type)
}

function valueView(
  arg: string,
  type: Operation['returns'][number]['type'],
  description: string | undefined
): SharedValue {
  const view = { arg, type: typeView(type) }
  return description === undefined ? view : { ...view, description }
}
