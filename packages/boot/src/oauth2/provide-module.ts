import Module from 'node:module'
import { sep } from 'node:path'
import type { FastifyInstance } from 'fastify'

type Resolve = (this: unknown, request: string, parent: { filename?: string } | null, ...more: unknown[]) => string

const places: unique symbol = Symbol('places')
type ResolveWithPlaces = Resolve & { [places]?: Map<string, string> }

/** The module that scripts of LoopBack applications require. */
export const moduleName = 'loopback-component-oauth2'

/** The folder that a file belongs to, if one of these. */
function placeOf(map: ReadonlyMap<string, string>, file: string | undefined): string | undefined {
  const roots = [...map.keys()].filter((root) => file?.startsWith(root + sep))
  return map.get(roots.toSorted((one, other) => other.length - one.length)[0] ?? '')
}

/** The places whose scripts get a module of ours. Node's own way of finding modules is extended once per process. */
function knownPlaces(): Map<string, string> {
  const original = Reflect.get(Module, '_resolveFilename') as ResolveWithPlaces // Node has it
  if (original[places] !== undefined) return original[places]
  const map = new Map<string, string>()
  const resolve: ResolveWithPlaces = function (this: unknown, request, parent, ...more) {
    const place = request === moduleName ? placeOf(map, parent?.filename) : undefined
    return place ?? original.call(this, request, parent, ...more)
  }
  Reflect.set(Module, '_resolveFilename', Object.assign(resolve, { [places]: map }))
  return map
}

/**
 * Lets the scripts below a folder require our module in place of LoopBack's component, which needs LoopBack itself, until the
 * server closes.
 */
export function provideModule(server: FastifyInstance, root: string, exports: unknown): void {
  const map = knownPlaces()
  const id = `modelwire:${moduleName}:${root}`
  const cache = Reflect.get(Module, '_cache') as Record<string, unknown> // Node has it
  map.set(root, id)
  cache[id] = Object.assign(new Module(id), { exports, loaded: true, filename: id })
  server.addHook('onClose', async () => {
    map.delete(root)
    Reflect.deleteProperty(cache, id)
  })
}
