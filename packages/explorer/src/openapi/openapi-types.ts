import type { SwaggerOptions } from '../swagger/swagger-info.ts'

/** A security scheme of OpenAPI. */
export type SecurityScheme = Readonly<Record<string, unknown>>

/** An OAuth 2.0 authorization server whose tokens the API accepts. */
export interface OAuth2Description {
  /** Flows by name, each with its URLs and scopes, as in OpenAPI. */
  readonly flows: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly description?: string | undefined
}

/** The contents of a document in addition to the API. */
export interface OpenApiOptions extends Pick<
  SwaggerOptions,
  'apiInfo' | 'version' | 'host' | 'protocol' | 'packageInfo' | 'modelOrder'
> {
  /** Prefix of the API to describe, if `rest` is registered several times; by default the first one. */
  readonly api?: string | undefined
  /** The path of the API as clients see it, behind a proxy. */
  readonly basePath?: string | undefined
  readonly oauth2?: OAuth2Description | undefined
}

/** A JSON schema of draft 2020-12, as in OpenAPI 3.1. */
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
