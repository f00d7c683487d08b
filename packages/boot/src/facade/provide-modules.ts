import Module from 'node:module'
import { dirname, join, sep } from 'node:path'

type Resolve = (this: unknown, request: string, parent: { filename?: string } | null, ...more: unknown[]) => string

/** Finds what a script of an application gets for a name that it requires; undefined for every other module. */
export type FindModule = (request: string) => { readonly exports: unknown } | undefined

interface Place {
  readonly root: string
  readonly find: FindModule
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

/** LoopBack's connectors, and the packages that they are made of, use each other as libraries: they are no scripts. */
const ofConnectors =
  /[\\/]node_modules[\\/](?:loopback-connector(?:-[\w-]+)?|loopback-datasource-juggler|strong-remoting)[\\/]/

/** The application that a file belongs to: the innermost one that holds it, else one that its packages were installed for. */
function placeOf(all: readonly Place[], file: string): Place | undefined {
  if (ofConnectors.test(file)) return undefined
  const holding = all.filter(({ root }) => isBelow(root, file))
  const [innermost] = holding.toSorted((one, other) => other.root.length - one.root.length)
  return innermost ?? all.findLast(({ root }) => isInstalledFor(root, file))
}

/** The places whose scripts get modules of ours. Node's own way of finding modules is extended once per process. */
function knownPlaces(): Place[] {
  const original = Reflect.get(Module, '_resolveFilename') as ResolveWithPlaces // Node has it
  if (original[places] !== undefined) return original[places]
  const all: Place[] = []
  const resolve: ResolveWithPlaces = function (this: unknown, request, parent, ...more) {
    const place = parent?.filename === undefined ? undefined : placeOf(all, parent.filename)
    const found = place?.find(request)
    if (place === undefined || found === undefined) return original.call(this, request, parent, ...more)
    const id = idOf(place.root, request)
    cache()[id] ??= Object.assign(new Module(id), { exports: found.exports, loaded: true, filename: id })
    return id
  }
  Reflect.set(Module, '_resolveFilename', Object.assign(resolve, { [places]: all }))
  return all
}

const idOf = (root: string, request: string): string => `modelwire:${request}:${root}`

const cache = (): Record<string, unknown> => Reflect.get(Module, '_cache') as Record<string, unknown> // Node has it

/**
 * Forgets what was loaded of an application, so that it starts anew: its own scripts, and the packages of it that required modules of
 * ours, which belong to the start before.
 */
export function forgetScripts(root: string): void {
  const loaded = Object.entries(cache()).filter(([path]) => isBelow(root, path))
  for (const [path, module] of loaded)
    if (!path.includes(`${sep}node_modules${sep}`) || requiresOurs(module)) Reflect.deleteProperty(cache(), path)
}

function requiresOurs(module: unknown): boolean {
  const children: unknown = Reflect.get(Object(module), 'children')
  return (
    Array.isArray(children) &&
    children.some((child) => String(Reflect.get(Object(child), 'id')).startsWith('modelwire:'))
  )
}

/**
 * Lets the scripts below a folder, and the packages that are installed for it, require modules of ours in place of those of
 * LoopBack. Returns a function that ends it.
 */
export function provideModules(root: string, find: FindModule): () => void {
  const all = knownPlaces()
  const place = { root, find }
  all.push(place)
  return () => {
    all.splice(all.indexOf(place), 1)
    const ids = Object.keys(cache()).filter((id) => id.startsWith('modelwire:') && id.endsWith(`:${root}`))
    for (const id of ids) Reflect.deleteProperty(cache(), id)
  }
}
