import rateLimit from '@fastify/rate-limit'
import { isOfModel } from '@modelwire/acl'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Operation } from '@modelwire/core'
import { TooManyAttempts } from '../errors.ts'
import type { UsersOptions } from '../options.ts'

/** Methods that somebody may try many times: to guess, to flood a mailbox, or to wear the server out. */
const limited: ReadonlySet<string> = new Set([
  'login',
  'resetPassword',
  'prototype.verify',
  'changePassword',
  'setPassword'
])

/** The operation behind a route of `rest`. */
function operationOf({ config }: RouteOptions): Operation | undefined {
  const operation: unknown = typeof config === 'object' && 'operation' in config ? config.operation : undefined
  return operation as Operation | undefined // `rest` puts one there
}

const errorResponseBuilder = (): Error => new TooManyAttempts('too many attempts; try again later')

/** Limits how often one address may try to log in, to have a password reset or to change one. */
export async function limitAttempts(app: FastifyInstance, given: UsersOptions['rateLimit']): Promise<void> {
  if (given === false) return
  const { max = 100, timeWindow = 60_000 } = given ?? {}
  app.addHook('onRoute', (route) => {
    const operation = operationOf(route)
    if (operation === undefined || !limited.has(operation.name) || !isOfModel(operation.model, 'User')) return
    route.config = { ...route.config, rateLimit: { max, timeWindow, errorResponseBuilder } }
  })
  // An application that limits rates itself has registered it already.
  if (!app.hasDecorator('rateLimit')) await app.register(rateLimit, { global: false })
}
