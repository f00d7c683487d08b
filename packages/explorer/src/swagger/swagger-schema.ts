/** A JSON value in a document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A schema of Swagger 2. */
export type SwaggerSchema = Readonly<Record<string, unknown>>

/** `{ type: 'string' }` as in model files and remote methods, with all its other keys. */
export type WrittenType = Readonly<Record<string, unknown>>
