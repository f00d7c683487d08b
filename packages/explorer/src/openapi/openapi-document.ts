import type { ModelRegistry } from '@modelwire/core'
import type { ModelType, Mount, Operation } from '@modelwire/core/plugin'
import { type DocumentedRoute, documentedRoutes } from '../api/documented-routes.ts'
import { findMount } from '../api/find-mount.ts'
import { readingOrder } from '../api/reading-order.ts'
import { relatedModels } from '../api/related-models.ts'
import { tagName, tagsOf } from '../api/tags.ts'
import { textOf, withoutAbsent } from '../api/text-of.ts'
import { apiInfo } from '../swagger/swagger-info.ts'
import type { AnswerParts } from './answer-parts.ts'
import { batchPaths } from './batch-paths.ts'
import { openApiAnswers } from './answers.ts'
import { clientNames } from './client-names.ts'
import { createComponents } from './components.ts'
import { describeEffect, summaryOf } from './describe-effect.ts'
import type { OpenApiOptions } from './openapi-options.ts'
import type { OpenApiDocument } from './openapi-types.ts'
import { openApiParameters } from './parameters.ts'
import { recordReference } from './record-schemas.ts'
import { requestBody } from './request-body.ts'
import { type Security, securityOf, usualSecurity } from './security.ts'

/** Whatever holds the models: a server, or an application that was built without one. */
export interface DescribedApi {
  readonly models: ModelRegistry
}

interface Parts extends AnswerParts {
  readonly security: Security
  /** What an operation requires that says nothing about it. */
  readonly usual: ReturnType<Security['of']>
}

function toOperation(route: DocumentedRoute, operationId: string | undefined, parts: Parts): object {
  const { operation } = route
  const body = requestBody(route, parts)
  const security = parts.security.of(operation)
  const isUsual = JSON.stringify(security) === JSON.stringify(parts.usual)
  return {
    tags: [tagName(operation.model)],
    ...withoutAbsent({ operationId }),
    summary: summaryOf(operation),
    description: describeEffect(operation),
    ...(operation.written?.['deprecated'] ? { deprecated: true } : {}),
    parameters: openApiParameters(route, parts),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: openApiAnswers(operation, route.verb, parts),
    ...(isUsual ? {} : { security })
  }
}

function pathsOf(routes: readonly DocumentedRoute[], parts: Parts): Record<string, Record<string, object>> {
  const ids = clientNames(routes)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of readingOrder(routes)) {
    // An optional parameter at the end is documented as present.
    const item = (paths[route.path.replaceAll('?}', '}')] ??= {})
    item[route.verb] = toOperation(route, ids.get(route), parts)
  }
  return paths
}

function oncePerModel<Value>(find: (model: ModelType) => Value): (model: ModelType) => Value {
  const found = new Map<ModelType, Value>()
  return (model) => {
    const value = found.get(model) ?? find(model)
    found.set(model, value)
    return value
  }
}

const mayBeCalled = (operation: Operation, registry: ModelRegistry): boolean =>
  !registry.guardsOf(operation).some(({ answerToAll }) => answerToAll === false)

/** The address of the API: a path on the server that sends the document, unless the options name it. */
function serverUrl({ prefix }: Mount, { host, protocol = 'http', basePath = prefix }: OpenApiOptions): string {
  const path = basePath.replace(/\/$/, '')
  if (host !== undefined) return `${protocol}://${host}${path}`
  return path === '' ? '/' : path
}

/**
 * Describes an API by OpenAPI 3.1: every operation that is reachable and documented, with arguments, bodies, answers,
 * errors and who may call. Call it when `rest` is registered.
 * @throws {ApiNotMounted} `rest` is not registered, or not below `options.api`
 */
export function openApiDocument({ models }: DescribedApi, options: OpenApiOptions = {}): OpenApiDocument {
  const mount = findMount(models, options.api)
  const routes = documentedRoutes(mount, options.modelOrder).filter(
    ({ operation }) => models.rules.documentsDenied || mayBeCalled(operation, models)
  )
  const security = securityOf(models, options.oauth2)
  const { answers, errorMember, problemType, listTags, createdStatus, idempotencyKeys } = mount
  const components = createComponents()
  const parts: Parts = {
    registry: models,
    components,
    recordOf: (model) => recordReference(model, parts),
    relatedOf: oncePerModel(relatedModels),
    answers,
    errorMember,
    problemType,
    listTags,
    createdStatus,
    idempotencyKeys,
    security,
    usual: usualSecurity(
      routes.map(({ operation }) => operation),
      security
    )
  }
  const documented = new Set(routes.map(({ operation }) => operation.model))
  const paths = { ...pathsOf(routes, parts), ...batchPaths(mount, documented, parts) }
  return {
    openapi: '3.1.0',
    info: apiInfo(options, { title: 'API', description: undefined }),
    servers: [{ url: serverUrl(mount, options) }],
    ...withoutAbsent({ security: parts.usual }),
    tags: tagsOf(routes, (model) => textOf(model.definition.description)),
    paths,
    components: {
      ...components.collect(),
      ...(Object.keys(security.schemes).length === 0 ? {} : { securitySchemes: security.schemes })
    }
  }
}
