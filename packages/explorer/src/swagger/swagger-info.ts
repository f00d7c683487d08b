import type { Mount } from '@modelwire/core/plugin'
import { isPlainObject } from '@modelwire/server'
import { textOf, withoutAbsent } from '../api/documented-routes.ts'

/** The header of documents, in the terms of loopback-component-explorer. */
export interface SwaggerOptions {
  /** `title`, `description`, `version` and other members of `info`. Texts may be lists of lines. */
  readonly apiInfo?: Readonly<Record<string, unknown>> | undefined
  /** Version of the API if `apiInfo` has none. */
  readonly version?: string | undefined
  readonly basePath?: string | undefined
  /** Host and port of the API, if they differ from the document's. */
  readonly host?: string | undefined
  readonly protocol?: string | undefined
  readonly consumes?: readonly string[] | undefined
  readonly produces?: readonly string[] | undefined
  /** Definitions in addition to those of models. */
  readonly models?: Readonly<Record<string, unknown>> | undefined
  /** Further members of the document, such as `securityDefinitions`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** Names of models in the order in which documents show them. */
  readonly modelOrder?: readonly string[] | undefined
  /** Define records to create without what the server sets, as `$new_Wine`. */
  readonly generateOperationScopedModels?: boolean | undefined
  /** Define records with related records, as `WineWithRelations`. */
  readonly generateRelationProperties?: boolean | undefined
  /** Name, version and description of the application where `apiInfo` has none: its package.json. */
  readonly packageInfo?:
    | { readonly name?: unknown; readonly version?: unknown; readonly description?: unknown }
    | undefined
}

const conventionalName = 'LoopBack Application'
const consumed = ['application/json', 'application/x-www-form-urlencoded', 'application/xml', 'text/xml']
const produced = ['application/json', 'application/xml', 'text/xml', 'application/javascript', 'text/javascript']

/** The texts of `info` on one line each, with the members that every document requires. */
export function apiInfo(
  { apiInfo: ownInfo = {}, version, packageInfo = {} }: SwaggerOptions,
  otherwise: { readonly title: string; readonly description: string | undefined }
): Record<string, unknown> {
  const written = Object.entries(ownInfo).map(
    ([key, value]) => [key, Array.isArray(value) ? textOf(value) : value] as const
  )
  const info = Object.fromEntries<unknown>(written)
  return {
    ...info,
    title: info['title'] || textOf(packageInfo.name) || otherwise.title,
    ...withoutAbsent({ description: info['description'] || textOf(packageInfo.description) || otherwise.description }),
    version: String(info['version'] || version || packageInfo.version || '1.0.0')
  }
}

/**
 * Everything in a document except its paths, tags and definitions. The application's own parts (`extensions`) take
 * precedence over the options.
 * @see LoopBack 3: loopback-swagger, lib/specgen/swagger-spec-generator.js, generateSwaggerObjectBase
 */
export function swaggerInfo(
  { prefix }: Mount,
  options: SwaggerOptions
): Record<string, unknown> & { models: Record<string, unknown> } {
  const { extensions = {}, host, protocol, consumes = consumed, produces = produced, models = {} } = options
  const own = extensions['definitions']
  return {
    ...withoutAbsent({ host, schemes: protocol === undefined ? undefined : [protocol] }),
    consumes,
    produces,
    ...extensions,
    swagger: '2.0',
    info: apiInfo(options, { title: conventionalName, description: conventionalName }),
    basePath: (options.basePath ?? prefix).replace(/\/$/, ''),
    models: isPlainObject(own) ? { ...own } : { ...models }
  }
}
