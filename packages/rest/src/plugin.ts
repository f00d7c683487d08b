import type { Mount, Operation } from '@modelwire/core/plugin'
import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { addRoutes } from './add-routes.ts'
import { checkBeforeMounting, refuseSharedPaths } from './check-before-mounting.ts'
import { layers } from './layers.ts'
import { answerUnknownPaths, createMounting, describeAnswers, prepareScope } from './mounting.ts'
import { type RestOptions, RestOptionsSchema } from './options.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of a route of `rest`. */
    operation?: Operation
  }
}

async function plugin(scope: FastifyInstance, rawOptions: RestOptions): Promise<void> {
  const settings = checkOptions('rest', RestOptionsSchema, rawOptions)
  const mounting = createMounting(scope, settings, layers)
  const { registry } = mounting
  refuseSharedPaths(registry)
  const mounted = layers.flatMap((layer) => layer.mount(mounting) ?? [])
  registry.seal()
  checkBeforeMounting(scope, settings)
  await prepareScope(mounting)
  const routes = addRoutes(mounting, mounted)
  let mount: Mount = { ...describeAnswers(mounting), routes }
  for (const { document } of mounted) mount = { ...mount, ...(await document?.(routes)) }
  registry.mounts.push(mount)
  answerUnknownPaths(mounting)
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
