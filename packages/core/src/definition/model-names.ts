import { createRequire } from 'node:module'
import type * as Inflection from 'inflection'
import type { ModelDefinition } from './model-definition.ts'

/** The module `inflection`. Required, it is loaded in a third of the time that an import of CommonJS takes. */
export const inflection = createRequire(import.meta.url)('inflection') as typeof Inflection

// LB3: the release of `inflection` that LoopBack 3 ships differs from today's in this one English word.
const frozenPlurals: ReadonlyMap<string, string> = new Map([
  ['Focus', 'Focus'],
  ['focus', 'focus']
])

/**
 * The last segment of a model's REST path.
 * @see recordings crud/plurals and crud/plurals-not
 */
export function pluralName(definition: ModelDefinition): string {
  return definition.plural ?? frozenPlurals.get(definition.name) ?? inflection.pluralize(definition.name)
}

/** The REST path of a model without its leading slash: `http.path`, else the plural. May hold slashes. */
export function httpPath(definition: ModelDefinition): string {
  const path = definition.http?.path ?? pluralName(definition)
  return path.replace(/^\/+|\/+$/g, '')
}
