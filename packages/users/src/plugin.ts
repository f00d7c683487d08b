import { attachModels, checkOptions, type ModelType } from '@modelwire/core/plugin'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Home } from './accounts/account-parts.ts'
import type { ResetRequest } from './accounts/reset-request.ts'
import { authenticationHook } from './identity/authenticate-request.ts'
import { installUsers } from './install-users.ts'
import { limitAttempts } from './limits/limit-attempts.ts'
import { type UsersOptions, UsersOptionsSchema, type UsersSettings } from './options.ts'
import { defaultPorts } from './verification/verify-options.ts'
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

/** Where people reach the server: as the options say, else where it listens. */
function homeOf(app: FastifyInstance, { publicUrl, apiRoot, mailFrom }: UsersSettings): Home {
  const own = { apiRoot, from: mailFrom }
  if (publicUrl !== undefined) {
    const { protocol, hostname, port, pathname } = new URL(publicUrl)
    const scheme = protocol.slice(0, -1)
    const prefix = pathname.replace(/\/+$/, '')
    return { ...own, protocol: scheme, host: hostname, port: port || defaultPorts[scheme], apiRoot: prefix + apiRoot }
  }
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { ...own, protocol: app.initialConfig.https ? 'https' : 'http', port }
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
