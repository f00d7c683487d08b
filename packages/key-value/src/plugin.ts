import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { defineKeyValueModel } from './key-value-model.ts'

async function plugin(app: FastifyInstance): Promise<void> {
  defineKeyValueModel(app.models)
}

/** Adds routes to models that extend `KeyValueModel`. Register it after `modelwire` and before `rest`. */
export const keyValue = fp(plugin, { name: '@modelwire/key-value', fastify: '5.x', dependencies: ['@modelwire/core'] })
