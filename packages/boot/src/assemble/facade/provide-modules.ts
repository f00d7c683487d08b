import Module from 'node:module'
import { dirname, join, sep } from 'node:path'
import { provideToModules } from './provide-to-modules.ts'

type Resolve = (this: unknown, request: string, parent: Parent | null, ...more: unknown[]) => string

/** Finds the module that a script of an application gets for a required name; undefined for every other module. */
export type FindModule = (request: string) => { readonly exports: unknown } | undefined

interface Place {
  readonly root: string
  readonly find: FindModule
  /** Suffix of the names of its modules. */
  readonly id: string
}

/** A module that requires another one, as Node represents it. */
interface Parent {
  readonly filename?: string
  readonly parent?: Parent | null | undefined
}

const places: unique symbol = Symbol('places')
type ResolveWithPlaces = Resolve & { [places]?: Place[] }

const isBelow = (root: string, file: string): boolean => file.startsWith(root + sep)

/** Packages of an application may be installed in a folder above it. */
function isInstalledFor(root: string, file: string): boolean {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder))
    if (isBelow(join(folder, 'node_modules'), file)) return true
  return false
}

/** LoopBack's connectors, and the packages that they are made of, use each other as libraries: they are not scripts. */
const ofConnectors =
  /[\\/]node_modules[\\/](?:loopback-connector(?:-[\w-]+)?|loopback-datasource-juggler|strong-remoting)[\\/]/

/** The start that a file belongs to: the last one of the innermost folder that holds it, else one that its packages were installed for. */
function placeOfFile(all: readonly Place[], file: string): Place | undefined {
  const holding = all.filter(({ root }) => isBelow(root, file))
  const innermost = Math.max(...holding.map(({ root }) => root.length))
  return (
    holding.findLast(({ root }) => root.length === innermost) ?? all.findLast(({ root }) => isInstalledFor(root, file))
  )
}

const placesOfModules = new WeakMap<object, Place>()

/**
 * The start that a module belongs to: that of the module which required it first, since a folder may be started anew while what ran before
 * is still there, and packages may be installed for several applications.
 */
function placeOf(all: readonly Place[], module: Parent): Place | undefined {
  const cached = placesOfModules.get(module)
  if (cached !== undefined) return cached
  const { filename = '', parent } = module
  const found = (parent ? placeOf(all, parent) : undefined) ?? placeOfFile(all, filename)
  if (found !== undefined) placesOfModules.set(module, found)
  return found
}

/** The places whose scripts get Modelwire modules. Node's own way of finding modules is extended once per process. */
function sharedPlaces(): Place[] {
  const original = Reflect.get(Module, '_resolveFilename') as ResolveWithPlaces // Node has it
  if (original[places] !== undefined) return original[places]
  const all: Place[] = []
  const resolve: ResolveWithPlaces = function (this: unknown, request, parent, ...more) {
    const isOurs = parent?.filename !== undefined && all.length > 0 && !ofConnectors.test(parent.filename)
    const place = isOurs ? placeOf(all, parent) : undefined
    const found = place?.find(request)
    if (place === undefined || found === undefined) return original.call(this, request, parent, ...more)
    const id = `modelwire:${request}:${place.id}`
    cache()[id] ??= Object.assign(new Module(id), { exports: found.exports, loaded: true, filename: id })
    return id
  }
  Reflect.set(Module, '_resolveFilename', Object.assign(resolve, { [places]: all }))
  provideToModules((specifier, file) => (ofConnectors.test(file) ? undefined : placeOfFile(all, file)?.find(specifier)))
  return all
}

let starts = 0

const cache = (): Record<string, unknown> => Reflect.get(Module, '_cache') as Record<string, unknown> // Node has it

const startedBefore = new Set<string>()

interface Loaded {
  readonly id?: unknown
  readonly children?: readonly Loaded[]
}

/**
 * Removes modules of earlier starts from the cache, so that an application starts afresh: its own scripts, if it was
 * started before, and packages that require Modelwire modules, directly or indirectly. Does nothing at the first start of a
 * process.
 */
export function forgetScripts(root: string): void {
  const isKnown = startedBefore.has(root)
  startedBefore.add(root)
  const isOwn = (path: string): boolean => isKnown && isBelow(root, path) && !path.includes(`${sep}node_modules${sep}`)
  const visited = new Map<Loaded, boolean>()
  const loaded = Object.entries(cache()) as [string, Loaded][] // modules of Node
  for (const [path, module] of loaded)
    if (isOwn(path) || (!isScript(path, module) && requiresOurs(module, visited))) Reflect.deleteProperty(cache(), path)
}

/** Scripts of other applications stay as they are. Packages may be linked: their files lie anywhere. */
function isScript(path: string, module: Loaded): boolean {
  const root = placesOfModules.get(module)?.root
  return root !== undefined && isBelow(root, path) && !path.includes(`${sep}node_modules${sep}`)
}

function requiresOurs(module: Loaded, visited: Map<Loaded, boolean>): boolean {
  const found = visited.get(module)
  if (found !== undefined) return found
  // Packages may require each other in a circle.
  visited.set(module, false)
  const requires =
    String(module.id).startsWith('modelwire:') || (module.children ?? []).some((child) => requiresOurs(child, visited))
  visited.set(module, requires)
  return requires
}

/**
 * Lets the scripts below a folder, and the packages installed for it, require Modelwire modules in place of LoopBack's.
 * Returns a function that undoes this.
 */
export function provideModules(root: string, find: FindModule): () => void {
  const all = sharedPlaces()
  const place = { root, find, id: `${++starts}:${root}` }
  all.push(place)
  return () => {
    all.splice(all.indexOf(place), 1)
    const ids = Object.keys(cache()).filter((id) => id.startsWith('modelwire:') && id.endsWith(`:${place.id}`))
    for (const id of ids) Reflect.deleteProperty(cache(), id)
  }
}
