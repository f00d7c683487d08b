/** Prototypes of requests and responses before Express gives them its own. */
export interface KeptPrototypes {
  readonly keep: (...objects: readonly object[]) => void
  /** Puts Express's prototype in front of the original one, where it does not extend that already. */
  readonly restore: (...objects: readonly object[]) => void
}

/**
 * Makes the store of one server. Express replaces the prototype of its arguments by one that extends Node's request or
 * response: objects of another class, such as those of `inject`, would lose their methods.
 */
export function createKeptPrototypes(): KeptPrototypes {
  const prototypes = new WeakMap<object, object>()
  return {
    keep: (...objects) => {
      for (const object of objects) prototypes.set(object, prototypeOf(object))
    },
    restore: (...objects) => {
      for (const object of objects) restoreOne(object, prototypes.get(object))
    }
  }
}

function restoreOne(object: object, original: object | undefined): void {
  const prototype = prototypeOf(object)
  if (original === undefined || original === prototype || extendsIt(prototype, original)) return
  const layers: object[] = []
  for (let layer = prototype; !extendsIt(original, layer) && layer !== Object.prototype; layer = prototypeOf(layer)) {
    layers.unshift(layer)
  }
  const joined = layers.reduce<object>(
    (below, layer) => Object.create(below, Object.getOwnPropertyDescriptors(layer)) as object, // it makes objects
    original
  )
  Object.setPrototypeOf(object, joined)
}

function extendsIt(object: object, prototype: object): boolean {
  return Object.prototype.isPrototypeOf.call(prototype, object)
}

function prototypeOf(object: object): object {
  return Object.getPrototypeOf(object) as object // requests and responses have one
}
