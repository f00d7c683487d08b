import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { installRelations } from './install-relations.ts'
import { type RelationsOptions, RelationsOptionsSchema } from './options.ts'

async function plugin(app: FastifyInstance, options: RelationsOptions): Promise<void> {
  checkOptions('relations', RelationsOptionsSchema, options)
  installRelations(app.models, { options }).complete()
}

/**
 * Serves the `relations` and `scopes` of all models. Register it after `modelwire` and before `rest`.
 * @throws {RelationTargetMissing} a relation leads to no model
 * @throws {InvalidRelation} a relation is malformed
 */
export const relations = fp(plugin, {
  name: '@modelwire/relations',
  fastify: '5.x',
  dependencies: ['@modelwire/core']
})
