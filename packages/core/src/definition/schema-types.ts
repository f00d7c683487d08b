import type { Name } from './model-facts.ts'

/**
 * An object in JSON Schema keywords, as written by any version of TypeBox.
 * @example
 * ```ts
 * import { defineModel, type ObjectSchema } from '@modelwire/core'
 *
 * const schema = { type: 'object', properties: { text: { type: 'string' } } } as const satisfies ObjectSchema
 * const Note = defineModel('Note', schema)
 * console.log(Object.keys(Note.properties ?? {})) // [ 'text' ]
 * ```
 */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: object
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: unknown
}

interface Types {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

/** The type of the values that a JSON Schema allows, as far as TypeScript knows its keywords. */
type ValueOf<S> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly anyOf: readonly (infer P)[] }
      ? ValueOf<P>
      : S extends { readonly type: 'array'; readonly items: infer I }
        ? ValueOf<I>[]
        : S extends ObjectSchema
          ? RecordOf<S>
          : S extends { readonly type: infer N extends keyof Types }
            ? Types[N]
            : unknown

type Optional = { readonly '~optional': true }

/** Names listed in `required`; if they are unknown, all that TypeBox 1 does not mark as optional. */
type RequiredName<S extends ObjectSchema> = S extends { readonly required: readonly (infer N extends string)[] }
  ? string extends N
    ? { [K in Name<S['properties']>]: S['properties'][K] extends Optional ? never : K }[Name<S['properties']>]
    : N
  : S extends { readonly '~kind': 'Object' }
    ? { [K in Name<S['properties']>]: S['properties'][K] extends Optional ? never : K }[Name<S['properties']>]
    : never

/** The type of the properties that an object schema describes. */
type RecordOf<S extends ObjectSchema> = {
  -readonly [K in Name<S['properties']> as K extends RequiredName<S> ? K : never]: ValueOf<S['properties'][K]>
} & {
  -readonly [K in Name<S['properties']> as K extends RequiredName<S> ? never : K]?: ValueOf<S['properties'][K]>
}

/** The type of the records that a schema describes: TypeBox 0.34's own static type, else derived from the keywords. */
export type SchemaRecord<S extends ObjectSchema> = S extends { readonly static: unknown; params: unknown[] }
  ? (S & { params: [] })['static'] & object
  : RecordOf<S>

/** Names of the properties that have a default, or that the database generates. */
export type DefaultedName<S extends ObjectSchema> = {
  [K in keyof S['properties']]: S['properties'][K] extends infer P
    ? P extends { readonly defaultFn: unknown } | { readonly generated: true }
      ? K
      : 'default' extends keyof P
        ? {} extends Pick<P, 'default'>
          ? never
          : K
        : never
    : never
}[keyof S['properties']]

/** The property that is marked as the id. */
type IdName<S extends ObjectSchema> = {
  [K in Name<S['properties']>]: S['properties'][K] extends { readonly id: true } ? K : never
}[Name<S['properties']>]

/** The type of declared ids; undefined if none is declared, unknown if TypeBox 1 loses it. */
export type SchemaId<S extends ObjectSchema> = [IdName<S>] extends [never]
  ? 'id' extends keyof S['properties']
    ? Part<SchemaRecord<S>, 'id'>
    : S extends { readonly '~kind': unknown }
      ? unknown
      : undefined
  : IsOne<IdName<S>> extends true
    ? Part<SchemaRecord<S>, IdName<S>>
    : string | { readonly [K in IdName<S>]: Part<SchemaRecord<S>, K> }

/** True for a single name, false for several. */
type IsOne<K, All = K> = K extends unknown ? ([All] extends [K] ? true : false) : never
type Part<T, K> = K extends keyof T ? T[K] : unknown
