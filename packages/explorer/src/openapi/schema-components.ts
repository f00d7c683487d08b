import type { Schema } from './openapi-types.ts'

/** Makes the schema of a component when it is first referred to. */
export type MakeSchema = () => Schema

/** The schemas that a document holds: those that something refers to. */
export interface SchemaComponents {
  /** A reference to the schema of this name, made where it is none yet. */
  readonly reference: (name: string, make: MakeSchema) => Schema
  readonly collect: () => Record<string, Schema>
}

/** Names of components hold letters, digits, dots, dashes and underscores alone. */
const componentName = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, '_')

/** Collects the schemas, or the answers, of one document. */
export function createSchemaComponents(section: 'schemas' | 'responses' = 'schemas'): SchemaComponents {
  const made = new Map<string, Schema>()
  return {
    reference: (name, make) => {
      const key = componentName(name)
      if (!made.has(key)) {
        // Schemas refer to each other in circles: the name is taken before the schema is made.
        made.set(key, {})
        made.set(key, make())
      }
      return { $ref: `#/components/${section}/${key}` }
    },
    collect: () => Object.fromEntries([...made].toSorted(([left], [right]) => (left < right ? -1 : 1)))
  }
}
