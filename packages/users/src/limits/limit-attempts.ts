import rateLimit from '@fastify/rate-limit'
import type { ModelRegistry } from '@modelwire/core'
import {
  type AttemptLimits,
  type AnswerHook,
  answerHook,
  type BegunAttempt,
  rateLimitFields,
  sharedRates,
  toCallbackHook
} from '@modelwire/server'
import { isOfModel, type Operation } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import { TooManyAttempts } from '../errors.ts'
import type { UsersSettings } from '../options.ts'
import { type AttemptKind, attemptKinds } from './attempt-kinds.ts'

/** The operation behind a route of `rest`. */
function operationOf({ config }: RouteOptions): Operation | undefined {
  const operation: unknown = typeof config === 'object' && 'operation' in config ? config.operation : undefined
  return operation as Operation | undefined // `rest` puts one there
}

function kindOf({ model, name }: Operation): AttemptKind | undefined {
  return isOfModel(model, 'User') && Object.hasOwn(attemptKinds, name) ? attemptKinds[name] : undefined
}

const errorResponseBuilder = (): Error => new TooManyAttempts('too many attempts; try again later')

/** Each message counts, for all callers: even the first one sent it to the owner. */
const limitsOf = ({ counts }: AttemptKind, limits: AttemptLimits): AttemptLimits =>
  counts === 'all' ? { failures: limits.failures, accountFailures: limits.failures } : limits

async function finish(begun: BegunAttempt, status: number, { counts }: AttemptKind): Promise<void> {
  if (status >= 500) return begun.takeBack()
  return counts === 'all' || status >= 400 ? begun.fail() : begun.succeed()
}

interface Hooks {
  readonly preValidation: preValidationHookHandler
  readonly onSend: AnswerHook
}

/** Counts the attempts of a route for the accounts that they name. */
function countingHooks(
  kind: AttemptKind,
  model: ModelType,
  limiter: ModelRegistry['attempts'],
  limits: AttemptLimits
): Hooks {
  const running = new WeakMap<FastifyRequest, BegunAttempt>()
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const attempt = kind.read(request, model)
    if (attempt === undefined) return
    const begun = await limiter.begin(attempt, limitsOf(kind, limits))
    if (begun.waitFor === undefined) return void running.set(request, begun)
    void reply.header('retry-after', begun.waitFor)
    throw errorResponseBuilder()
  }
  const end = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const begun = running.get(request)
    running.delete(request)
    if (begun !== undefined) await finish(begun, reply.statusCode, kind)
  }
  return { preValidation: toCallbackHook(begin), onSend: answerHook('count of attempts', end) }
}

/**
 * Limits how often one address may try to log in, to confirm an email address, to reset a password or to change one, and
 * how often that may fail for one account.
 */
export async function limitAttempts(
  app: FastifyInstance,
  { attempts, shared }: Pick<ModelRegistry, 'attempts' | 'shared'>,
  limits: UsersSettings['rateLimit']
): Promise<void> {
  if (limits === false) return
  const { max, timeWindow } = limits
  const fields = rateLimitFields(timeWindow)
  app.addHook('onRoute', (route) => {
    const operation = operationOf(route)
    const kind = operation === undefined ? undefined : kindOf(operation)
    if (operation === undefined || kind === undefined) return
    const hooks = countingHooks(kind, operation.model, attempts, limits)
    route.config = { ...route.config, rateLimit: { max, timeWindow, errorResponseBuilder } }
    route.preValidation = [hooks.preValidation, route.preValidation ?? []].flat()
    route.onSend = [hooks.onSend, fields, route.onSend ?? []].flat()
  })
  // An application that limits rates itself has registered it already.
  if (!app.hasDecorator('rateLimit')) await app.register(rateLimit, { global: false, ...sharedRates(shared, 'users') })
}
