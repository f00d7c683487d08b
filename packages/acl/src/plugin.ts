import { checkOptions } from '@modelwire/core'
import type { Principal } from '@modelwire/core'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Access } from './access/access.ts'
import { attachModels } from './models/attach-models.ts'
import { accessModels } from './models/definitions.ts'
import { defineAccessModels, installAcl } from './install-acl.ts'
import { type AclOptions, AclOptionsSchema } from './options.ts'
import { tellRelaxedAccess } from './tell-relaxed.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Access control: roles, questions, the report. */
    access: Access
  }
  interface FastifyRequest {
    /** Who calls; null for somebody without a valid token. */
    principal: Principal | null
  }
}

async function plugin(app: FastifyInstance, options: AclOptions): Promise<void> {
  checkOptions('acl', AclOptionsSchema, options)
  tellRelaxedAccess(options, (message) => app.log.warn(message))
  defineAccessModels(app.models)
  const names = accessModels.map(({ name }) => name)
  attachModels(app.models, names, options.dataSource)
  app.decorate('access', installAcl(app.models, options))
  if (!app.hasRequestDecorator('principal')) app.decorateRequest('principal', null)
}

/** Enforces the access rules of all models. Register it after `modelwire` and `relations`, and before `rest`. */
export const acl = fp(plugin, { name: '@modelwire/acl', fastify: '5.x', dependencies: ['@modelwire/core'] })
