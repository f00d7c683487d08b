import type { Mount, MountedRoute, Operation } from '@modelwire/core/plugin'
import type { ModelRegistry } from '@modelwire/core'
import { ApiNotMounted } from '../errors.ts'

type Present<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** A verb and path as shown in documents. */
export interface DocumentedRoute {
  readonly verb: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head'
  /** `/Wines/{id}/region`, relative to the API's root. */
  readonly path: string
  readonly operation: Operation
}

const verbsOfAll = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const

/** A method for all verbs is shown once, as LoopBack shows it; a HEAD that a GET answers is not shown. */
function isShown({ verb, endpoint, operation, path }: MountedRoute, all: readonly MountedRoute[]): boolean {
  if (!operation.documented) return false
  if (endpoint.verb !== 'ALL') return verb === endpoint.verb
  const mounted = new Set(
    all.filter((route) => route.operation === operation && route.path === path).map((route) => route.verb)
  )
  return verb === verbsOfAll.find((one) => mounted.has(one))
}

/** `/Wines/:id` → `/Wines/{id}` */
function templateOf(path: string): string {
  return path.replace(/:([^/]+)/g, '{$1}')
}

/**
 * The routes of an API that documents show, in mounting order.
 * @param order names of models that come first, in their order
 */
export function documentedRoutes({ routes }: Mount, order: readonly string[] = []): DocumentedRoute[] {
  const places = new Map(order.map((name, place) => [name, place]))
  const placeOf = ({ operation }: DocumentedRoute): number => places.get(operation.model.name) ?? order.length
  const byPath = new Map<string, MountedRoute[]>()
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  return routes
    .filter((route) => isShown(route, byPath.get(route.path) ?? []))
    .map(({ verb, path, operation }) => ({
      // Lower case of the verbs that a route can have.
      verb: verb.toLowerCase() as DocumentedRoute['verb'],
      path: templateOf(path),
      operation
    }))
    .toSorted((left, right) => placeOf(left) - placeOf(right))
}

/** True when the path has a parameter of this name. */
export function isInPath({ path }: DocumentedRoute, name: string): boolean {
  return path.includes(`{${name}}`) || path.includes(`{${name}?}`)
}

/**
 * The API that a document describes: the one at `prefix`, or the first.
 * @throws {ApiNotMounted} `rest` is not registered, or not there
 */
export function findMount({ mounts }: ModelRegistry, prefix?: string): Mount {
  const wanted = prefix?.replace(/\/+$/, '')
  const found = mounts.find((mount) => wanted === undefined || mount.prefix === wanted)
  if (found !== undefined) return found
  if (mounts.length === 0) throw new ApiNotMounted('no API is registered yet: register rest before explorer')
  const prefixes = mounts.map((mount) => `"${mount.prefix}"`).join(', ')
  throw new ApiNotMounted(`no API is registered at "${prefix}", only at ${prefixes}`, { key: 'api' })
}

/** A description as in LoopBack's files: a string, or a list of lines. Undefined if it is neither, or empty. */
export function textOf(written: unknown): string | undefined {
  const text = Array.isArray(written) ? written.join('\n') : written
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Returns the members that are not undefined. */
export function withoutAbsent<Value extends object>(value: Value): Present<Value> {
  // Entries of the same value, some of them left out.
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<Value>
}
