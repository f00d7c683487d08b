/** The members of LoopBack's objects by the names of these. */
export type Members = Readonly<Record<string, readonly string[]>>

/** An application, and the module it was made by, as its scripts see them. */
export interface Examined {
  readonly loopback: object
  readonly app: object
  /** The name of a model that is attached to the data source `db`. */
  readonly model: string
}

type Reachable = Readonly<Record<string, unknown>>

/** Members of functions and of what every object has, and those that LoopBack keeps to itself. */
const ignored = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  'prototype',
  'super_'
])

const isOwn = (name: string): boolean => !name.startsWith('_') && !name.startsWith('$') && !ignored.has(name)

/** The names of everything that an object has, or inherits. */
export function namesOf(object: unknown): readonly string[] {
  const names = new Set<string>()
  for (let at: unknown = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at) as unknown)
    for (const name of Object.getOwnPropertyNames(at).filter(isOwn)) names.add(name)
  return [...names].toSorted()
}

/** The objects whose members are compared. */
export function objectsOf({ loopback, app, model }: Examined): Reachable {
  const { models, dataSources, remotes, registry } = app as Readonly<Record<string, unknown>>
  const modelClass = Reflect.get(Object(models), model) as object & { prototype: unknown } // a class
  const remoteObjects: unknown = typeof remotes === 'function' ? remotes.call(app) : undefined
  const read = (name: string): unknown => Reflect.get(modelClass, name)
  return {
    Model: modelClass,
    'Model.prototype': modelClass.prototype,
    'Model.definition': read('definition'),
    'Model.sharedClass': read('sharedClass'),
    'Model.modelBuilder': read('modelBuilder'),
    DataSource: Reflect.get(Object(dataSources), 'db'),
    app,
    'app.registry': registry,
    loopback,
    remotes: remoteObjects,
    'remotes.phases': Reflect.get(Object(remoteObjects), 'phases')
  }
}

/** Lists the members of each object. */
export function listMembers(examined: Examined): Members {
  return Object.fromEntries(Object.entries(objectsOf(examined)).map(([name, object]) => [name, namesOf(object)]))
}

/** Members that `own` has not, though `other` has them. Whatever can be read, inherited or made by a proxy, counts as there. */
export function missingMembers(other: Members, own: Reachable): Members {
  const missing = Object.entries(other).map(([object, names]) => {
    const target = Object(own[object])
    return [object, names.filter((name) => !(name in target))] as const
  })
  return Object.fromEntries(missing.filter(([, names]) => names.length > 0))
}
