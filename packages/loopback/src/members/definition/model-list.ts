import type { ModelRegistry } from '@modelwire/core'
import { definedModels } from './built-in-models.ts'

/** `app.models`: classes by name, and a function that lists them. */
export type ModelList = Readonly<Record<string, unknown>> & (() => unknown[])

/**
 * The models of an application, as scripts access them: by name, and capitalized; a name with other characters than letters
 * and digits also as `bigThing` and `BigThing`.
 * @see LoopBack 3: lib/application.js
 */
export function createModelList(registry: ModelRegistry): ModelList {
  const names = (): string[] => registry.names().filter((name) => isListed(registry, name))
  const list = (): unknown[] => names().map((name) => registry.get(name))
  const find = (key: PropertyKey): unknown =>
    typeof key === 'string' ? findListed(registry, key)?.modelClass : undefined
  // The proxy below adds the classes by name.
  return new Proxy(list as ModelList, {
    get: (target, key) => find(key) ?? (Reflect.get(target, key) as unknown),
    has: (_target, key) => find(key) !== undefined,
    ownKeys: (target) => [...new Set([...names(), ...Reflect.ownKeys(target)])],
    getOwnPropertyDescriptor: (target, key) => {
      const value = find(key)
      if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, key)
      return { value, enumerable: true, configurable: true, writable: true }
    }
  })
}

/** Built-in models that the application does not attach are not its own. */
function isListed(registry: ModelRegistry, name: string): boolean {
  return !definedModels.has(name) || registry.typeOf(name).dataSource !== undefined
}

/**
 * As `findByName`, but a model `role` of the application is `Role`, too, where it does without the built-in one, and a model `user`
 * that extends `User` is `User`: it is listed later, under both names.
 */
function findListed(registry: ModelRegistry, name: string): ReturnType<ModelRegistry['find']> {
  const exact = registry.find(name)
  if (exact !== undefined && !definedModels.has(name)) return exact
  const others = registry.names().filter((each) => each !== name && isListed(registry, each))
  if (exact === undefined || !isListed(registry, name)) return findAlike(registry, name, others) ?? exact
  return (
    findAlike(
      registry,
      name,
      others.filter((each) => registry.get(each).prototype instanceof exact.modelClass)
    ) ?? exact
  )
}

/**
 * The model with this name, or with this script name.
 * @see LoopBack 3: lib/application.js, which lists a model by its name, by `classify` of it and by `camelize` of it
 */
export function findByName(registry: ModelRegistry, name: string): ReturnType<ModelRegistry['find']> {
  return registry.find(name) ?? findAlike(registry, name, registry.names())
}

function findAlike(registry: ModelRegistry, name: string, names: readonly string[]): ReturnType<ModelRegistry['find']> {
  const alike = names.find((each) => scriptNames(each).includes(name))
  return alike === undefined ? undefined : registry.find(alike)
}

/** The names of a model or a data source in scripts, in addition to its own: `big-thing` is `bigThing` and `BigThing`. */
export function scriptNames(name: string): readonly string[] {
  return [camelCase(name), classify(name)]
}

/** `big-thing` → `BigThing`. */
export function classify(name: string): string {
  const camel = camelCase(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/** `big-thing` → `bigThing`. */
function camelCase(name: string): string {
  return name.replace(/[^A-Za-z0-9]+(.)?/g, (_gap, letter: string | undefined) => letter?.toUpperCase() ?? '')
}
