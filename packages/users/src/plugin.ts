import { attachModels } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { homeOf } from './accounts/verify-options.ts'
import { authenticationHook } from './identity/authenticate-request.ts'
import { installUsers, warnAboutWeakenedOptions } from './install-users.ts'
import { limitAttempts } from './limits/limit-attempts.ts'
import { type UsersOptions, UsersOptionsSchema, type ResetRequest } from './options.ts'

/** Emits a reset request to the application, asynchronously. */
function announceTo(
  app: FastifyInstance,
  { onResetRequest }: UsersOptions
): (model: ModelType, request: ResetRequest) => boolean {
  const announce = async (request: ResetRequest): Promise<void> => {
    try {
      await onResetRequest?.(request)
    } catch (error) {
      app.log.error({ err: error }, 'a listener of a password reset failed')
    }
  }
  return (_model, request) => {
    void announce(request)
    return onResetRequest !== undefined
  }
}

async function plugin(app: FastifyInstance, rawOptions: UsersOptions): Promise<void> {
  const options = checkOptions('users', UsersOptionsSchema, rawOptions)
  const warn = (message: string): void => app.log.warn(message)
  warnAboutWeakenedOptions(options, warn)
  installUsers(app.models, {
    options,
    wrap: (method) => method,
    call: async (method, self, args) => method.apply(self, [...args]),
    mailer: () => options.sendMail,
    announceReset: announceTo(app, options),
    home: () => homeOf(app, options),
    warn
  })
  attachModels(app.models, ['User', options.accessTokenModel, 'Application'], options.dataSource)
  app.addHook('onRequest', authenticationHook({ registry: app.models, options }))
  await limitAttempts(app, app.models, options.rateLimit)
}

/** Serves the models `User` and `AccessToken`, and authenticates callers. Register it after `acl` and before `rest`. */
export const users = fp(plugin, { name: '@modelwire/users', fastify: '5.x', dependencies: ['@modelwire/acl'] })
