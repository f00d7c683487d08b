import rateLimit from '@fastify/rate-limit'
import { rateLimitFields } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import { TooManyRequests } from '../errors.ts'
import type { OAuth2Settings } from '../options/option-table.ts'

const errorResponseBuilder = (): Error => new TooManyRequests('too many requests: try again later')

/** Limits how often one address may try in this scope: secrets, codes and passwords are guessed here. */
export async function limitRate(scope: FastifyInstance, rawOptions: OAuth2Settings['rateLimit']): Promise<void> {
  if (rawOptions === false) return
  const { max, timeWindow } = rawOptions
  // A server that has rate limits has decorated itself already; a scope of its own has a limit of its own.
  await scope.register(rateLimit, { max, timeWindow, errorResponseBuilder })
  scope.addHook('onSend', rateLimitFields(timeWindow))
}
