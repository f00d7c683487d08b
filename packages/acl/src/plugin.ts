import { attachModels } from '@modelwire/core/plugin'
import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Access } from './access/access.ts'
import { refuseRules } from './check/refuse-rules.ts'
import { storingModels } from './models/definitions.ts'
import { defineAccessModels, prepareAcl } from './install-acl.ts'
import { type AclOptions, AclOptionsSchema } from './options.ts'
import { warnAboutWeakenedAccess } from './warn-about-weakened-access.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Access control: roles, checks, the report. */
    access: Access
  }
}

async function plugin(app: FastifyInstance, rawOptions: AclOptions): Promise<void> {
  const options = checkOptions('acl', AclOptionsSchema, rawOptions)
  warnAboutWeakenedAccess(options, (message) => app.log.warn(message))
  defineAccessModels(app.models)
  const names = options.stores.flatMap((each) => storingModels[each])
  attachModels(app.models, names, options.dataSource)
  const { access, protect, problems } = prepareAcl(app.models, () => options)
  protect()
  app.decorate('access', access)
  const warn = (message: string): void => app.log.warn(message)
  // By then all methods are declared and all roles registered, unless no routes are mounted.
  app.addHook('onReady', async () => {
    if (app.models.sealed) await refuseRules(problems(), app.models, warn)
  })
}

/** Enforces the access rules of all models. Register it after `modelwire` and `relations`, and before `rest`. */
export const acl = fp(plugin, { name: '@modelwire/acl', fastify: '5.x', dependencies: ['@modelwire/core'] })
