import { isPlainObject, type Mount } from '@modelwire/core/plugin'
import { textOf, withoutAbsent } from '../api/text-of.ts'

/** What stands at the top of documents, in the words of loopback-component-explorer. */
export interface SwaggerOptions {
  /** `title`, `description`, `version` and other members of `info`. Texts may be lists of lines. */
  readonly apiInfo?: Readonly<Record<string, unknown>> | undefined
  /** Version of the API where `apiInfo` has none. */
  readonly version?: string | undefined
  readonly basePath?: string | undefined
  /** Host and port of the API, where it is another than the document's. */
  readonly host?: string | undefined
  readonly protocol?: string | undefined
  readonly consumes?: readonly string[] | undefined
  readonly produces?: readonly string[] | undefined
  /** Definitions besides those of models. */
  readonly models?: Readonly<Record<string, unknown>> | undefined
  /** Further members of the document, such as `securityDefinitions`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
  /** Names of models in the order that documents show them in. */
  readonly modelOrder?: readonly string[] | undefined
  /** Show records to create without what the server sets, as `$new_Wine`. */
  readonly generateOperationScopedModels?: boolean | undefined
  /** Show related records within records, as `WineWithRelations`. */
  readonly generateRelationProperties?: boolean | undefined
  /** Name, version and description of the application where `apiInfo` has none: its package.json. */
  readonly packageInfo?:
    | { readonly name?: unknown; readonly version?: unknown; readonly description?: unknown }
    | undefined
}

const conventionalName = 'LoopBack Application'
const consumed = ['application/json', 'application/x-www-form-urlencoded', 'application/xml', 'text/xml']
const produced = ['application/json', 'application/xml', 'text/xml', 'application/javascript', 'text/javascript']

/** Texts of `info` on one line each, with what every document needs. */
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
 * Everything of a document but its paths, tags and definitions. The application's own parts (`extensions`) take
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
