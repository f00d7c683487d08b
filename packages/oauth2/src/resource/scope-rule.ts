import { isPlainObject } from '@modelwire/core/plugin'
import { compilePath } from './compile-path.ts'
import { PathInvalid } from './resource-errors.ts'

/** A route that a scope opens. */
export interface ScopedRoute {
  /** All of them when absent. */
  readonly methods?: string | readonly string[]
  /** What lies below it belongs to it. */
  readonly path: string
}

/**
 * Scopes that a request needs one of: a text or a list; or, by scope, the routes that it opens.
 * @see loopback-component-oauth2: lib/scope.js
 */
export type ScopeRule = string | readonly string[] | Readonly<Record<string, readonly (string | ScopedRoute)[]>>

/** What a request is known by to a scope rule. */
export interface ScopeQuestion {
  readonly method: string
  /** One of its `ComparedPaths`. */
  readonly path: string | undefined
}

/** The scopes of which a request needs one; undefined where no mapping covers it. An empty list requires nothing. */
export type NeededScopes = (question: ScopeQuestion) => readonly string[] | undefined

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')
const listOf = (value: string | readonly string[]): string[] =>
  typeof value === 'string' ? wordsOf(value) : value.flatMap(wordsOf)

/** A router answers HEAD by the route of GET. */
const methodOf = (method: string): string => (method === 'HEAD' ? 'GET' : method)

interface CompiledRoute {
  readonly scope: string
  readonly methods: ReadonlySet<string>
  readonly isAt: (path: string | undefined) => boolean
}

function compileRoute(scope: string, route: unknown): CompiledRoute {
  const { path, methods = [] } = isPlainObject(route) ? route : { path: route }
  if (typeof path !== 'string') throw new PathInvalid(`a route of the scope "${scope}" has no path`, {})
  const names = listOf([methods].flat().map(String)).map((name) => name.toUpperCase())
  return { scope, methods: new Set(names.includes('ALL') ? [] : names), isAt: compilePath(path) }
}

function compileMapping(mapping: Readonly<Record<string, unknown>>): NeededScopes {
  const routes = Object.entries(mapping).flatMap(([scope, entries]) => {
    if (!Array.isArray(entries)) throw new PathInvalid(`the routes of the scope "${scope}" must be a list`, {})
    return entries.map((route) => compileRoute(scope, route))
  })
  return ({ method, path }) => {
    // What cannot be decoded is covered by nothing.
    if (path === undefined) return undefined
    const wanted = methodOf(method)
    const matching = routes.filter(({ methods, isAt }) => (methods.size === 0 || methods.has(wanted)) && isAt(path))
    return matching.length === 0 ? undefined : [...new Set(matching.map(({ scope }) => scope))]
  }
}

/**
 * Compiles `scope` or `scopes` of `authenticate`.
 * @throws {PathInvalid} a route is malformed
 */
export function compileScopeRule(rule: ScopeRule | undefined): NeededScopes {
  if (isPlainObject(rule)) return compileMapping(rule)
  const scopes = rule === undefined ? [] : listOf(rule)
  return () => scopes
}
