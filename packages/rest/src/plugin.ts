import type { ModelRegistry } from '@modelwire/core'
import {
  checkOptions,
  decorateCaller,
  fillDefaults,
  type Mount,
  type Operation,
  type Rules,
  rulesOf,
  writtenPath
} from '@modelwire/core/plugin'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import fp from 'fastify-plugin'
import { addRoutes } from './add-routes.ts'
import { BatchOptionsSchema } from './batch/batch-options.ts'
import type { BatchMounting } from './batch/add-batch.ts'
import { registerCors } from './cors.ts'
import { refuseOpenAccess, refuseUnenforcedRules } from './check-access.ts'
import { warnOfUnknownMethods } from './check-shared-methods.ts'
import { checkServer, warnWithoutTimeLimit } from './check-server.ts'
import { ModelPathTaken, NotFoundHandlerTaken, RouteNotFound } from './errors.ts'
import { registerBodyParsers } from './input/body-parsers.ts'
import { answerBounds, readingOptions } from './input/reading-options.ts'
import { queryReader, type ReadQuery } from './input/read-query.ts'
import { defineKeyModel } from './idempotency/key-model.ts'
import { countKeptIn } from './idempotency/caller-limits.ts'
import { idempotentRoutes, type MakeIdempotent } from './idempotency/idempotent-requests.ts'
import { createFactStore } from './idempotency/fact-store.ts'
import { createKeyStore, type KeyStore, type KeyTimes, purgeKeys } from './idempotency/key-store.ts'
import { IdempotencyOptionsSchema, type RestOptions, RestOptionsSchema, type RestSettings } from './options.ts'
import { createNegotiator, type NegotiatorOptions, offeredTypes } from './output/negotiate-type.ts'
import { errorBody } from './output/error-body.ts'
import { problemType } from './output/error-format.ts'
import { type ErrorHandler, errorHandler, type HandlingOptions } from './output/send-error.ts'
import { delegateToHandler } from './output/delegate-to-handler.ts'
import { Serializers } from './output/serialize-value.ts'
import { StreamServer } from './streams/stream-server.ts'
import { findSharedPaths } from './shared-paths.ts'

// Fastify calls a validator only where there is one, which its types do not say.
const noValidator = (() => undefined) as unknown as FastifySchemaCompiler<unknown>

/** Values are checked while arguments are read, by the same types: nothing is left for a validator, and answers are texts. */
function skipCompilers(scope: FastifyInstance): void {
  scope.setValidatorCompiler(noValidator)
  scope.setSerializerCompiler(() => (value) => JSON.stringify(value))
}

function answerUnknownPaths(scope: FastifyInstance, options: RestSettings): void {
  if (!options.notFound || scope.prefix === '' || scope.prefix === '/') return
  try {
    scope.setNotFoundHandler((request) => {
      throw new RouteNotFound(`no method answers ${request.method} ${writtenPath(request)}`)
    })
  } catch (cause) {
    throw new NotFoundHandlerTaken(
      `unknown paths below ${scope.prefix} are answered by another plugin; set notFound: false`,
      { key: 'notFound' },
      { cause }
    )
  }
}

/** LB3: applications of LoopBack may have such models, as `boot` reports; new ones may not. */
function refuseSharedPaths(registry: ModelRegistry): void {
  const [shared] = findSharedPaths(registry)
  if (shared === undefined) return
  const { first, second } = shared
  throw new ModelPathTaken(
    `${first.name} and ${second.name} are both at /${second.httpPath}: give one of them another plural or http.path`,
    { model: second.name, key: 'http.path' }
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation behind a route of `rest`. */
    operation?: Operation
  }
}

const offeringOf = ({ answersXml, answersJsonp, supportedTypes }: RestSettings): NegotiatorOptions => ({
  jsonp: answersJsonp,
  xml: answersXml,
  supportedTypes
})

/** How operations answer. */
function mountDescription(options: RestSettings, rules: Rules): Omit<Mount, 'prefix' | 'routes' | 'batch'> {
  const { rootProperty, negotiateContentType } = options.errors
  return {
    answers: offeredTypes(offeringOf(options)).filter((type) => type !== '*/*'),
    errorMember: rootProperty === false ? undefined : rootProperty,
    problemType: negotiateContentType && !rules.showsErrorStatus ? problemType : undefined,
    listTags: options.listETags,
    createdStatus: options.createdStatus,
    idempotencyKeys: options.idempotency !== false
  }
}

/** Answers errors: by the function of the application first, where there is one. */
function answerErrors(scope: FastifyInstance, options: HandlingOptions, readQuery: ReadQuery): ErrorHandler {
  const { handler } = options
  const own = errorHandler(options)
  const all = handler === undefined ? own : delegateToHandler(handler, own, { registry: scope.models, readQuery })
  scope.setErrorHandler(all)
  return all
}

/** Where keys are kept: in the shared state, or in a model. */
function keyStore(registry: ModelRegistry, times: KeyTimes, dataSource: string | undefined): KeyStore {
  const { facts } = registry.shared
  if (facts !== undefined) return createFactStore(facts, times)
  defineKeyModel(registry, dataSource)
  registry.addPurge({ name: 'idempotency keys', run: () => purgeKeys(registry) })
  return createKeyStore(registry, times)
}

/** Makes the hooks of requests with keys; undefined where there are none. */
function idempotency(registry: ModelRegistry, { idempotency: option }: RestSettings): MakeIdempotent | undefined {
  if (option === false) return undefined
  const settings = fillDefaults(IdempotencyOptionsSchema, option === true ? {} : option)
  const store = keyStore(registry, settings, settings.dataSource)
  return idempotentRoutes({ store, count: countKeptIn(registry.shared, settings), bytes: settings.bytes })
}

/** The routes of batches; undefined where there are none. */
async function batchRoutes({ batch }: RestSettings, mounting: BatchMounting): Promise<Mount['batch']> {
  if (batch === false) return undefined
  const { addBatch } = await import('./batch/add-batch.ts')
  return addBatch(mounting, fillDefaults(BatchOptionsSchema, batch === true ? {} : batch))
}

async function plugin(scope: FastifyInstance, rawOptions: RestOptions): Promise<void> {
  const options = checkOptions('rest', RestOptionsSchema, rawOptions)
  const registry: ModelRegistry = scope.models
  const { rules } = registry
  if (!rules.allowsSharedPaths) refuseSharedPaths(registry)
  const idempotent = idempotency(registry, options)
  registry.seal()
  const warn = (message: string): void => scope.log.warn(message)
  refuseUnenforcedRules(registry, warn)
  refuseOpenAccess(registry, warn)
  warnOfUnknownMethods(registry, options.sharedMethods, warn)
  if (rules.wantsLooseRouter) checkServer(scope)
  warnWithoutTimeLimit(scope)
  const readQuery = queryReader(options.query)
  const errorOptions = { ...options.errors, rules: options.errors.inVersion3 ? rulesOf(3, true) : rules }
  const sendError = answerErrors(scope, errorOptions, readQuery)
  await registerBodyParsers(scope, options, rules.ignoresPrototypeNames)
  skipCompilers(scope)
  await registerCors(scope, options.cors ?? rules.corsByDefault)
  decorateCaller(scope)
  if (!scope.hasRequestDecorator('operationContext')) scope.decorateRequest('operationContext', null)
  const answer = answerBounds(options.answer)
  const mount = { readQuery, factsOf: (error: unknown) => errorBody(error, errorOptions).facts }
  const sending = {
    answer,
    readQuery,
    settings: options,
    negotiate: createNegotiator(offeringOf(options)),
    serializers: new Serializers(),
    streams: new StreamServer(scope, options.streams, mount)
  }
  const reading = readingOptions(options, answer, readQuery)
  const readmits = idempotent !== undefined && options.batch !== false
  const routes = addRoutes(scope, { registry, reading, sending, sendError, idempotent, readmits }, options)
  const prefix = scope.prefix === '/' ? '' : scope.prefix
  const tell = (error: unknown) => errorBody(error, errorOptions)
  const batch = await batchRoutes(options, { scope, prefix, registry, routes, idempotent, bounds: answer, tell })
  registry.mounts.push({ prefix, routes, batch, ...mountDescription(options, rules) })
  answerUnknownPaths(scope, options)
}

/**
 * Mounts all operations of all public models below Fastify's `prefix`. Register it after everything that adds models or
 * operations: it seals the registry.
 * @throws {RegistrySealed} (later) a model is defined afterwards
 * @throws {InvalidOption} an option is unknown or malformed
 * @throws {AccessRulesUnenforced} a public model has access rules, and no access control is installed
 * @throws {AccessModelOpen} everyone may write the records that decide who may do what
 * @throws {ModelPathTaken} two public models have the same path
 * @throws {NotFoundHandlerTaken} another plugin answers unknown paths under the same prefix
 */
export const rest = fp(plugin, {
  name: '@modelwire/rest',
  fastify: '5.x',
  dependencies: ['@modelwire/core'],
  encapsulate: true
})
