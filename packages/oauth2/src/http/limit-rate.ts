import rateLimit from '@fastify/rate-limit'
import { rateLimitFields, sharedRates } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { TooManyRequests } from '../errors.ts'
import type { OAuth2Parts } from '../parts.ts'

const errorResponseBuilder = (): Error => new TooManyRequests('too many requests: try again later')

/** Limits how often one address may try in this scope: secrets, codes and passwords are guessed here. @param name that of the scope */
export async function limitRate(
  scope: FastifyInstance,
  { registry, settings }: Pick<OAuth2Parts, 'registry' | 'settings'>,
  name: string
): Promise<void> {
  const { rateLimit: limits } = settings.options
  if (limits === false) return
  const { max, timeWindow } = limits
  // A server that has rate limits has decorated itself already; a scope of its own has a limit of its own.
  await scope.register(rateLimit, {
    max,
    timeWindow,
    errorResponseBuilder,
    ...sharedRates(registry.shared, `oauth2 ${name}`)
  })
  scope.addHook('onSend', rateLimitFields(timeWindow))
}
