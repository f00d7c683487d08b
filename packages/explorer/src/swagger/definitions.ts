import type { SwaggerSchema } from './swagger-schema.ts'

/** Collects the definitions that a document refers to. */
export interface Definitions {
  /** True when there is something of this name. */
  readonly has: (name: string) => boolean
  /** A reference to a definition, which the document then holds. */
  readonly reference: (name: string) => string
  /** All definitions that were referred to, and those that they refer to. */
  readonly collect: () => Record<string, SwaggerSchema>
}

/** Types of LoopBack that have a definition of their own, by their name in lower case. */
const builtIn: ReadonlyMap<string, readonly [string, SwaggerSchema]> = new Map([
  ['x-any', ['x-any', { properties: {} }]],
  ['objectid', ['ObjectID', { type: 'string', pattern: '^[a-fA-F\\d]{24}$' }]],
  ['geopoint', ['GeoPoint', { properties: { lat: { type: 'number' }, lng: { type: 'number' } } }]],
  ['datestring', ['DateString', { type: 'string', format: 'date-time' }]]
])

/** Makes the definition of a model, or of a variant of one; undefined when there is none of this name. */
export type DefineModel = (name: string, definitions: Definitions) => (() => SwaggerSchema) | undefined

/**
 * Definitions of one document.
 * @see LoopBack 3: loopback-swagger, lib/specgen/type-registry.js
 */
export function createDefinitions(define: DefineModel): Definitions {
  const referenced = new Set<string>()
  const find = (name: string): (() => SwaggerSchema) | undefined => {
    const schema = builtIn.get(name.toLowerCase())
    return schema === undefined ? define(name, definitions) : () => schema[1]
  }
  const definitions: Definitions = {
    has: (name) => find(name) !== undefined,
    reference: (name) => {
      const shown = builtIn.get(name.toLowerCase())?.[0] ?? name
      referenced.add(shown)
      return `#/definitions/${shown}`
    },
    collect: () => {
      const made: Record<string, SwaggerSchema> = {}
      // A set goes on to names that are added while it is walked.
      for (const name of referenced) {
        const schema = find(name)?.()
        if (schema !== undefined) made[name] = schema
      }
      return made
    }
  }
  return definitions
}
