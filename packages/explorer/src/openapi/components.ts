import type { Schema } from './openapi-types.ts'

/** Makes the schema of a component on its first reference. */
export type MakeSchema = () => Schema

/** The sections of parts that operations share. */
type SharedSection = 'responses' | 'parameters' | 'headers'

/** The shared components of a document. */
export interface Components {
  /** A reference to the schema of this name, created on first use. */
  readonly schema: (name: string, make: MakeSchema) => Schema
  /** A reference to a part of this name; the part itself if the name belongs to another one. */
  readonly share: (section: SharedSection, name: string, part: object) => object
  /** All parts by section; empty sections are omitted. */
  readonly collect: () => Record<string, Record<string, object>>
}

/** Names of components hold letters, digits, dots, dashes and underscores alone. */
const componentName = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, '_')

/** The component name that a schema refers to. */
export function referredName({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined
}

/** Collects the components of one document. */
export function createComponents(): Components {
  const sections = new Map<string, Map<string, object>>()
  const sectionOf = (section: string): Map<string, object> => {
    const made = sections.get(section) ?? new Map<string, object>()
    sections.set(section, made)
    return made
  }
  return {
    schema: (name, make) => {
      const [made, key] = [sectionOf('schemas'), componentName(name)]
      if (!made.has(key)) {
        // Schemas refer to each other in circles: the name is taken before the schema is made.
        made.set(key, {})
        made.set(key, make())
      }
      return { $ref: `#/components/schemas/${key}` }
    },
    share: (section, name, part) => {
      const [made, key] = [sectionOf(section), componentName(name)]
      const other = made.get(key)
      if (other !== undefined && JSON.stringify(other) !== JSON.stringify(part)) return part
      made.set(key, part)
      return { $ref: `#/components/${section}/${key}` }
    },
    collect: () =>
      Object.fromEntries(
        Array.from(sections, ([section, made]) => [
          section,
          Object.fromEntries([...made].toSorted(([left], [right]) => (left < right ? -1 : 1)))
        ])
      )
  }
}
