import { checkOptions, protectLog } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { OptionMissing } from './errors.ts'
import { rulesWhere } from './options/loopback-rules.ts'
import { type ResourceServerOptions, ResourceServerOptionsSchema } from './options/resource-server-options.ts'
import { installProtection } from './resource/install-protection.ts'
import { audienceOf, remoteChecker } from './resource/remote-checker.ts'

async function plugin(app: FastifyInstance, rawOptions: ResourceServerOptions): Promise<void> {
  const options = checkOptions('resourceServer', ResourceServerOptionsSchema, rawOptions)
  protectLog(app)
  const check = remoteChecker(options)
  if (check === undefined)
    throw new OptionMissing('tokens are neither verified nor introspected', { key: 'introspection' })
  const server = installProtection(app, {
    options,
    check,
    registry: app.hasDecorator('models') ? app.models : undefined,
    resource: audienceOf(options)[0],
    authorizationServers: [options.issuer],
    rules: rulesWhere(false)
  })
  if (options.protect !== undefined) server.authenticate(options.protect)
}

/**
 * Protects routes with access tokens of an authorization server in another process, of any make. Register it before the
 * routes; with `modelwire`, after it and before `rest`.
 */
export const resourceServer = fp(plugin, { name: '@modelwire/resource-server', fastify: '5.x' })
