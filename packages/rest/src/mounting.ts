import { decorateCaller, type Mount, rulesOf } from '@modelwire/core/plugin'
import { writtenPath } from '@modelwire/server'
import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { NotFoundHandlerTaken, RouteNotFound } from './errors.ts'
import { registerBodyParsers } from './input/body-parsers.ts'
import { queryReader } from './input/read-query.ts'
import type { Layer, Mounting } from './layers/layer.ts'
import type { RestSettings } from './options.ts'
import { problemType } from './output/error-format.ts'
import { createNegotiator, type NegotiatorOptions, offeredTypes } from './output/negotiate-type.ts'
import { Serializers } from './output/serialize-value.ts'
import { delegateToHandler, errorAnswers, errorHandler } from './output/send-error.ts'

/** The representations of responses, according to the options of `rest`. */
const negotiatorOptions = ({ answersXml, answersJsonp, supportedTypes }: RestSettings): NegotiatorOptions => ({
  jsonp: answersJsonp,
  xml: answersXml,
  supportedTypes
})

/**
 * Makes the dependencies of an API's routes and layers. Errors are passed to the application's function first, if there is
 * one.
 */
export function createMounting(scope: FastifyInstance, settings: RestSettings, layers: readonly Layer[]): Mounting {
  const { models: registry, prefix } = scope
  const { records, bytes } = settings.answer
  const { handler, inVersion3 } = settings.errors
  const errors = { ...settings.errors, rules: inVersion3 ? rulesOf(3, true) : registry.rules }
  const readQuery = queryReader(settings.query)
  const own = errorHandler(errors)
  const send = handler === undefined ? own : delegateToHandler(handler, own, { registry, readQuery })
  return {
    scope,
    prefix: prefix === '/' ? '' : prefix,
    registry,
    settings,
    readQuery,
    negotiate: createNegotiator(negotiatorOptions(settings)),
    serializers: new Serializers(),
    bounds: { rows: records, bytes, options: { rows: 'answer.records', bytes: 'answer.bytes' } },
    errors: errorAnswers(errors, send),
    headers: {
      request: layers.flatMap(({ headers }) => headers?.request ?? []),
      response: layers.flatMap(({ headers }) => headers?.response ?? [])
    }
  }
}

/** How operations respond, for documents. */
export function describeAnswers({ registry: { rules }, settings, prefix }: Mounting): Omit<Mount, 'routes'> {
  const { rootProperty, negotiateContentType } = settings.errors
  return {
    prefix,
    answers: offeredTypes(negotiatorOptions(settings)).filter((type) => type !== '*/*'),
    errorMember: rootProperty === false ? undefined : rootProperty,
    problemType: negotiateContentType && !rules.showsErrorStatus ? problemType : undefined,
    createdStatus: settings.createdStatus
  }
}

/** What LoopBack 2 answers to every origin. */
const everyOrigin: FastifyCorsOptions = {
  origin: true,
  credentials: true,
  methods: 'GET,HEAD,PUT,PATCH,POST,DELETE',
  strictPreflight: false
}

// Fastify calls a validator only where there is one, which its types do not say.
const noValidator = (() => undefined) as unknown as FastifySchemaCompiler<unknown>

/** Values are checked while arguments are read, by the same types: nothing is left for a validator, and answers are texts. */
function skipCompilers(scope: FastifyInstance): void {
  scope.setValidatorCompiler(noValidator)
  scope.setSerializerCompiler(() => (value) => JSON.stringify(value))
}

/**
 * Answers CORS for one prefix.
 * @see recordings version2/cors*
 */
async function registerCors(scope: FastifyInstance, setting: boolean | FastifyCorsOptions): Promise<void> {
  if (setting === false) return
  const { default: cors } = await import('@fastify/cors')
  await scope.register(cors, setting === true ? everyOrigin : { strictPreflight: false, ...setting })
}

/** Prepares a Fastify scope for the routes of an API: errors, bodies, CORS, and request decorations. */
export async function prepareScope({ scope, registry: { rules }, settings, errors }: Mounting): Promise<void> {
  scope.setErrorHandler(errors.send)
  await registerBodyParsers(scope, settings, rules.ignoresPrototypeNames)
  skipCompilers(scope)
  await registerCors(scope, settings.cors ?? rules.corsByDefault)
  decorateCaller(scope)
  if (!scope.hasRequestDecorator('operationContext')) scope.decorateRequest('operationContext', null)
}

/** @throws {NotFoundHandlerTaken} another plugin answers unknown paths under the same prefix */
export function answerUnknownPaths({ scope, settings }: Mounting): void {
  if (!settings.notFound || scope.prefix === '' || scope.prefix === '/') return
  try {
    scope.setNotFoundHandler((request) => {
      throw new RouteNotFound(`no method matches ${request.method} ${writtenPath(request)}`)
    })
  } catch (cause) {
    throw new NotFoundHandlerTaken(
      `another plugin handles unknown paths below ${scope.prefix}; set notFound: false`,
      { key: 'notFound' },
      { cause }
    )
  }
}
