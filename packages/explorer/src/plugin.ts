import { checkOptions } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { findMount } from './api/documented-routes.ts'
import { addDocuments } from './documents.ts'
import { type ExplorerOptions, ExplorerOptionsSchema } from './options.ts'
import { addPage } from './page/add-page.ts'

/** An explorer is public: in production it has to be enabled. */
const isEnabled = ({ enabled = process.env['NODE_ENV'] !== 'production' }: ExplorerOptions): boolean => enabled

async function plugin(scope: FastifyInstance, rawOptions: ExplorerOptions): Promise<void> {
  const options = checkOptions('explorer', ExplorerOptionsSchema, rawOptions)
  if (!isEnabled(options)) return
  findMount(scope.models, options.api)
  const root = options.mountPath.replace(/\/+$/, '')
  const documents = addDocuments(scope, root, options)
  // Hooks of the page are not those of the documents.
  if (options.swaggerUI) await scope.register(async (page) => addPage(page, root, options, documents))
}

/**
 * Serves documents of the API and a page to try it out, at `/explorer`. Register it after `rest`.
 * @throws {InvalidOption} an option is unknown or malformed
 * @throws {ApiNotMounted} `rest` is not registered yet, or not below the option `api`
 */
export const explorer = fp(plugin, {
  name: '@modelwire/explorer',
  fastify: '5.x',
  dependencies: ['@modelwire/core'],
  encapsulate: true
})
