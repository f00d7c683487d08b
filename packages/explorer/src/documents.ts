import { once, writtenPath } from '@modelwire/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findMount } from './api/documented-routes.ts'
import { openApiDocument } from './openapi/openapi-document.ts'
import type { OpenApiDocument } from './openapi/openapi-types.ts'
import type { ExplorerSettings } from './options.ts'
import { swaggerDocument, type SwaggerDocument } from './swagger/swagger-document.ts'

/** The documents of an API, each created on first use. */
export interface Documents {
  readonly openApi: () => OpenApiDocument
  readonly swagger: () => SwaggerDocument
}

function makeDocuments({ models }: FastifyInstance, options: ExplorerSettings): Documents {
  return {
    openApi: once(() => openApiDocument({ models }, options)),
    swagger: once(() => {
      const document = swaggerDocument(models, findMount(models, options.api), options)
      options.onSwagger?.(document)
      return document
    })
  }
}

/** The path that a page was requested by: behind a proxy it differs from the server's. */
function pathOfPage({ headers: { referer }, url }: FastifyRequest): string {
  const own = writtenPath({ url }).replace(/\/config\.json$/, '')
  const path = referer !== undefined && URL.canParse(referer) ? new URL(referer).pathname : own
  return path.replace(/\/(?:index\.html)?$/, '')
}

/**
 * Adds the routes of the documents: `openapi.json`, LoopBack's `swagger.json`, and `config.json`, which points LoopBack's
 * pages to it.
 * @param root path of the page without a slash at its end
 * @see LoopBack 3: loopback-component-explorer, index.js
 */
export function addDocuments(scope: FastifyInstance, root: string, options: ExplorerSettings): Documents {
  const documents = makeDocuments(scope, options)
  const resource = `/${options.resourcePath.replace(/^\/+/, '')}`
  scope.get(`${root}/openapi.json`, async () => documents.openApi())
  scope.get(root + resource, async () => documents.swagger())
  scope.get(`${root}/config.json`, async (request) => ({ url: pathOfPage(request) + resource, auth: options.auth }))
  return documents
}
