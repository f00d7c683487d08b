import type { Principal } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import type { FastifyRequest } from 'fastify'
import { PathInvalid } from '../errors.ts'
import { compilePath } from './path-rules.ts'

/** Callers whose scopes have been checked for the request. */
export interface ScopedCallers {
  /** Records that the caller of this request had the scope that its path, route or hook requires. */
  readonly add: (request: FastifyRequest) => void
  readonly has: (principal: Principal) => boolean
}

/** A route that a scope allows. */
export interface ScopedRoute {
  /** HTTP methods; all of them when absent. */
  readonly methods?: string | readonly string[]
  /** Includes everything below it. */
  readonly path: string
}

/**
 * Scopes of which a request needs one: a string or a list; or, by scope, the routes that it allows.
 * @see loopback-component-oauth2: lib/scope.js
 */
export type ScopeRule = string | readonly string[] | Readonly<Record<string, readonly (string | ScopedRoute)[]>>

/** The facts of a request for a scope rule. */
interface ScopeQuestion {
  readonly method: string
  /** One of its `ComparedPaths`. */
  readonly path: string | undefined
}

/** Returns the scopes of which a request needs one; undefined if no mapping covers it. An empty list requires nothing. */
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

/**
 * Makes the record of checked callers. A cached caller is used for many requests: one with checked scopes is a separate
 * object.
 */
export function scopedCallers(): ScopedCallers {
  const scoped = new WeakSet<Principal>()
  const variants = new WeakMap<Principal, Principal>()
  return {
    has: (principal) => scoped.has(principal),
    add: (request) => {
      const { principal } = request
      if (principal === null || scoped.has(principal)) return
      const variant = variants.get(principal) ?? Object.freeze({ ...principal })
      variants.set(principal, variant)
      scoped.add(variant)
      request.principal = variant
    }
  }
}
