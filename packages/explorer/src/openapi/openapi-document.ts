import type { ModelRegistry } from '@modelwire/core'
import type { Mount, Operation } from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { type DocumentedRoute, documentedRoutes, findMount, textOf, withoutAbsent } from '../api/documented-routes.ts'
import { relatedModels } from '../api/related-models.ts'
import { tagName, tagsOf } from '../api/tags.ts'
import { apiInfo } from '../swagger/swagger-info.ts'
import type { AnswerParts } from './error-answers.ts'
import { batchPaths } from './batch-paths.ts'
import { openApiAnswers } from './answers.ts'
import { createComponents } from './components.ts'
import type { OpenApiOptions, OpenApiDocument } from './openapi-types.ts'
import { openApiParameters } from './parameters.ts'
import { recordReference } from './record-schemas.ts'
import { requestBody } from './request-body.ts'
import { type Security, securityOf, usualSecurity } from './security.ts'

const verbs: readonly DocumentedRoute['verb'][] = ['get', 'post', 'patch', 'put', 'delete', 'head']

const collate = new Intl.Collator('en').compare

const ofRecords: Readonly<Record<Exclude<Operation['effect']['verb'], 'call'>, string>> = {
  find: 'Returns one record, or 404 if it does not exist. The filter selects the properties and related records to return.',
  count: 'Returns whether the record exists.',
  aggregate: 'Returns aggregates of the record.',
  create: 'Stores a new record and returns it as stored.',
  patch: 'Changes the given properties and keeps the others. Returns the whole record.',
  replace: 'Replaces the record with the data: omitted properties get their default, or are removed.',
  upsert: 'Changes the record with the id in the data, or creates it if none exists.',
  delete: 'Deletes the record.',
  link: 'Links two existing records.',
  unlink: 'Unlinks two records; both are kept.',
  stream: 'Sends changes as they happen, as server-sent events, until the caller ends it.'
}

const ofSets: Readonly<Partial<Record<Operation['effect']['verb'], string>>> = {
  find: 'Returns the records that match the filter, in its order; without a filter the first records.',
  count: 'Returns the number of records that match the condition; without one, of all records.',
  aggregate: 'Returns sums, averages and counts of the records that match, by groups.',
  patch: 'Changes all records that match the condition. Returns how many there were.',
  upsert: 'Changes the record that matches the condition, or creates one.',
  delete: 'Deletes all records that match the condition. Returns how many there were.'
}

const findFirst = 'Returns the first record that matches the filter, in its order, or 404 if none matches.'

/** True where the one that matches is answered, not a list of them. */
const answersFirst = ({ effect, returns }: Operation): boolean =>
  effect.verb === 'find' && effect.subject === 'set' && !returns.some(({ type }) => type.kind === 'array')

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

/** Words in camel case: `Tickets`, `prototype.__get__comments` → `ticketsPrototypeGetComments`. */
const camel = (...texts: readonly string[]): string =>
  lowered(
    texts
      .flatMap((text) => text.split(/[^A-Za-z0-9]+/))
      .map(capitalised)
      .join('')
  )

/** Any object with the models: a server, or an application that was built without one. */
export interface DescribedApi {
  readonly models: ModelRegistry
}

interface Parts extends AnswerParts {
  readonly security: Security
  /** The security requirement of operations without their own. */
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
 * Describes an API in OpenAPI 3.1: every operation that is reachable and documented, with arguments, bodies, responses,
 * errors and required callers. Call it once `rest` is registered.
 * @throws {ApiNotMounted} `rest` is not registered, or not below `options.api`
 */
export function openApiDocument({ models }: DescribedApi, options: OpenApiOptions = {}): OpenApiDocument {
  const mount = findMount(models, options.api)
  const routes = documentedRoutes(mount, options.modelOrder).filter(
    ({ operation }) => models.rules.documentsDenied || mayBeCalled(operation, models)
  )
  const security = securityOf(models, options.oauth2)
  const { answers, errorMember, problemType, listTags = false, createdStatus, idempotencyKeys = false } = mount
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

/** The names that a route may have, the shortest one first. */
function candidates({ operation, verb, path }: DocumentedRoute): string[] {
  const { model, name } = operation
  const short = camel(model.plural, shortName(name))
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const last = words.at(-1) ?? ''
  return [
    short,
    camel(model.plural, name),
    camel(short, 'by', verb),
    camel(short, 'by', verb, last),
    camel(short, verb, ...words)
  ]
}

/**
 * Ids of operations that are good names of functions in clients, by route: `ticketsFindById`. The other endpoints of a method have
 * their verb as well: `ticketsReplaceByIdByPost`. They depend on nothing but the routes of the model itself.
 */
function clientNames(routes: readonly DocumentedRoute[]): ReadonlyMap<DocumentedRoute, string> {
  const taken = new Set<string>()
  return new Map(
    routes.map((route) => {
      const all = candidates(route)
      const free = all.find((name) => !taken.has(name)) ?? `${all.at(-1)}${taken.size}`
      taken.add(free)
      return [route, free]
    })
  )
}

/** What an operation does, in a sentence or two: its notes, else by its effect. */
function describeEffect(operation: Operation): string {
  const { notes, effect, name, model } = operation
  if (notes !== undefined) return notes
  // No other sentence is true of methods that an application adds: rules and hooks know them by this name.
  if (effect.verb === 'call') return `Calls ${model.name}.${name}.`
  if (answersFirst(operation)) return findFirst
  const own = effect.subject === 'set' ? ofSets[effect.verb] : undefined
  return own ?? ofRecords[effect.verb]
}

/** The summary of an operation: its description, else its name as words, such as "Send reminder". */
function summaryOf({ description, name }: Operation): string {
  if (description !== undefined) return description
  const words = shortName(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The path of a model, that of its records, and all others. */
function placeOfPath({ path, operation }: DocumentedRoute): number {
  const own = `/${operation.model.httpPath}`
  const place = [own, `${own}/{id}`].indexOf(path)
  return place === -1 ? 2 : place
}

/** Operations that every model has, methods of the application, operations of relations. */
function groupOf({ operation: { effect } }: DocumentedRoute): number {
  if (effect.relation !== undefined || effect.via !== undefined) return 2
  return effect.verb === 'call' ? 1 : 0
}

function compareRoutes(left: DocumentedRoute, right: DocumentedRoute): number {
  const isBuiltIn = groupOf(left) === 0 && groupOf(right) === 0
  return (
    groupOf(left) - groupOf(right) ||
    (isBuiltIn ? placeOfPath(left) - placeOfPath(right) : 0) ||
    collate(left.path, right.path) ||
    verbs.indexOf(left.verb) - verbs.indexOf(right.verb)
  )
}

/**
 * Routes in the order in which people look for them. Models stay in their order; within one, the operations that every model has
 * come first, those of lists and of records ahead, then methods of the application, then relations, each by path.
 */
function readingOrder(routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  const models = new Map<unknown, DocumentedRoute[]>()
  for (const route of routes) {
    const { model } = route.operation
    models.set(model, [...(models.get(model) ?? []), route])
  }
  return [...models.values()].flatMap((ofModel) => ofModel.toSorted(compareRoutes))
}
