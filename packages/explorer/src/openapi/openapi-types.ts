/** A JSON schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type Schema = { readonly [keyword: string]: unknown }

/** A document of OpenAPI 3.1. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly [key: string]: unknown
}
