import type { Filter, ModelType } from '@modelwire/core/connector'
import { compileScopeFilter, keepPerModel, type repository } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'

/** A named filter of a model: `Post.published`. */
export interface NamedScope {
  readonly name: string
  readonly model: ModelType
  /** A filter, or a function that returns one. */
  readonly written: unknown
  /** Path segment of its routes. */
  readonly path: string
}

/** The named scopes of a model, in the order of their definition. */
export function namedScopes(model: ModelType): NamedScope[] {
  return Object.entries(model.definition.scopes ?? {}).map(([name, written]) => ({
    name,
    model,
    written,
    path: pathOf(name, written)
  }))
}

function pathOf(name: string, written: unknown): string {
  const options = isPlainObject(written) && isPlainObject(written['options']) ? written['options'] : {}
  const http = isPlainObject(options['http']) ? options['http'] : {}
  return typeof http['path'] === 'string' ? http['path'].replace(/^\/+|\/+$/g, '') : name
}

/** The filter of a scope as written; a function is called each time. */
export function filterOf({ written }: NamedScope): Record<string, unknown> {
  // The application's own function, called as LoopBack calls it.
  const value = typeof written === 'function' ? (written as () => unknown)() : written
  return isPlainObject(value) ? value : {}
}

const compiled = keepPerModel<Filter>()

/** A scope for queries. */
export function scopeOf(scope: NamedScope): repository.QueryScope {
  const written = filterOf(scope)
  const filter = compiled(written, scope.model, () => compileScopeFilter(scope.model, written))
  return { filter, wire: () => written }
}
