import { attachModels, checkOptions, type ModelType } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { ResetRequest } from './accounts/reset-request.ts'
import { authenticationHook } from './identity/authenticate-request.ts'
import { installUsers } from './install-users.ts'
import { limitAttempts } from './limits/limit-attempts.ts'
import { type UsersOptions, UsersOptionsSchema } from './options.ts'
import { warnAboutWeakenedOptions } from './warn-about-weakened-options.ts'

/** Emits a reset request to the application, asynchronously. */
function announceTo(
  app: FastifyInstance,
  { onResetRequest }: UsersOptions
): (model: ModelType, request: ResetRequest) => boolean {
  const announce = async (request: ResetRequest): Promise<void> => {
    try {
      await onResetRequest?.(request)
    } catch (error) {
      app.log.error({ err: error }, 'telling of a password reset failed')
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
    home: () => ({ apiRoot: options.apiRoot }),
    warn
  })
  attachModels(app.models, ['User', options.accessTokenModel, 'Application'], options.dataSource)
  app.addHook('onRequest', authenticationHook({ registry: app.models, options }))
  await limitAttempts(app, app.models, options.rateLimit)
}

/** Serves the models `User` and `AccessToken`, and authenticates callers. Register it after `acl` and before `rest`. */
export const users = fp(plugin, { name: '@modelwire/users', fastify: '5.x', dependencies: ['@modelwire/acl'] })
