import type { SwaggerOptions } from '../swagger/swagger-info.ts'

/** A security scheme of OpenAPI. */
export type SecurityScheme = Readonly<Record<string, unknown>>

/** An OAuth 2.0 authorization server whose tokens the API takes. */
export interface OAuth2Description {
  /** Flows by name, each with its addresses and scopes, as OpenAPI has them. */
  readonly flows: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly description?: string | undefined
}

/** The contents of a document besides the API. */
export interface OpenApiOptions extends Pick<
  SwaggerOptions,
  'apiInfo' | 'version' | 'host' | 'protocol' | 'packageInfo' | 'modelOrder'
> {
  /** Prefix of the API to describe, where `rest` is registered several times; else the first one. */
  readonly api?: string | undefined
  /** The path of the API as clients see it, behind a proxy. */
  readonly basePath?: string | undefined
  readonly oauth2?: OAuth2Description | undefined
}
