import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import { splitTarget, writePath } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import type { Documents } from '../documents.ts'
import type { ExplorerSettings } from '../options.ts'

const asset = async (name: string): Promise<string> =>
  readFile(new URL(`assets/${name}`, import.meta.resolve('@modelwire/explorer/package.json')), 'utf8')

const titleOf = ({ apiInfo = {} }: ExplorerSettings): string =>
  typeof apiInfo['title'] === 'string' ? apiInfo['title'] : 'API explorer'

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Sent to the browser as text, where the script of the page defines what it calls. */
function inBrowser(request: Request): Request {
  const add: unknown = Reflect.get(globalThis, 'modelwireRequest')
  return typeof add === 'function' ? (Reflect.apply(add, undefined, [request]) as Request) : request // the same one
}

type Request = Parameters<NonNullable<NonNullable<FastifySwaggerUiOptions['uiConfig']>['requestInterceptor']>>[0]

async function pageOptions(options: ExplorerSettings): Promise<FastifySwaggerUiOptions> {
  const [script, style, icon] = await Promise.all(['explorer.js', 'explorer.css', 'icon.svg'].map(asset))
  const { clientId } = options.oauth2 ?? {}
  return {
    logo: { type: 'image/svg+xml', content: icon ?? '' },
    staticCSP: contentSecurityPolicy(options),
    uiConfig: {
      layout: 'BaseLayout',
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      requestInterceptor: inBrowser
    },
    ...(clientId === undefined ? {} : { initOAuth: { clientId, usePkceWithAuthorizationCodeGrant: true } }),
    theme: {
      title: escapeHtml(titleOf(options)),
      css: [{ filename: 'explorer.css', content: style ?? '' }],
      js: [{ filename: 'explorer.js', content: script ?? '' }],
      favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon ?? '' }]
    }
  }
}

/** A request for the page without a slash at its end is sent on: files of the page are found below it. */
function redirectToSlash(scope: FastifyInstance, root: string): void {
  const place = (scope.prefix + root).toLowerCase()
  scope.addHook('onRequest', async (request, reply) => {
    const path = splitTarget(request.url)
    if (path === undefined || path.endsWithSlash || writePath({ ...path, query: undefined }).toLowerCase() !== place)
      return
    await reply
      .code(301)
      .header('location', writePath({ ...path, endsWithSlash: true }))
      .type('text/html; charset=utf-8')
      .send('')
  })
}

const elsewhere =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=./"><a href="./">API explorer</a>'

/** Old links lead to index.html. Clients may request the page with HEAD, whether or not the server adds that itself. */
function addOtherAddresses(scope: FastifyInstance, root: string): void {
  scope.get(`${root}/index.html`, async (_request, reply) => reply.type('text/html; charset=utf-8').send(elsewhere))
  const url = `${root}/`
  if (!scope.hasRoute({ method: 'HEAD', url: scope.prefix + url }))
    scope.head(url, async (_request, reply) => reply.type('text/html; charset=utf-8').send())
}

async function addSwaggerUi(
  scope: FastifyInstance,
  root: string,
  options: ExplorerSettings,
  { openApi }: Documents
): Promise<void> {
  // The plugin keeps the object and sends it later: it is filled on the first request.
  const document = { openapi: '3.1.0', info: { title: titleOf(options), version: '' }, paths: {} }
  scope.addHook('onRequest', async () => {
    Object.assign(document, openApi())
  })
  await scope.register(swagger, { mode: 'static', specification: { document } })
  await scope.register(swaggerUi, { ...(await pageOptions(options)), routePrefix: root === '' ? '/' : root })
}

/** Folders of files that go before those of the page. */
const foldersOf = ({ uiDirs = [] }: ExplorerSettings): string[] => [uiDirs].flat()

/**
 * Serves the page: that of swagger-ui, or the application's own if a folder contains an index.html.
 * @param root path of the page without a slash at its end
 */
export async function addPage(
  scope: FastifyInstance,
  root: string,
  options: ExplorerSettings,
  documents: Documents
): Promise<void> {
  const folders = foldersOf(options)
  const ownPage = folders.map((folder) => join(folder, 'index.html')).find((path) => existsSync(path))
  if (root !== '') redirectToSlash(scope, root)
  if (folders.length > 0)
    await scope.register(fastifyStatic, { root: folders, prefix: `${root}/`, decorateReply: false })
  if (ownPage === undefined) {
    await addSwaggerUi(scope, root, options, documents)
    addOtherAddresses(scope, root)
  } else {
    // A server that ignores slashes at the end of paths does not look for this one below the folders.
    scope.get(`${root}/`, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await readFile(ownPage))
    )
  }
}

function originOf(address: unknown): string[] {
  return typeof address === 'string' && URL.canParse(address) ? [new URL(address).origin] : []
}

/** Where the page may send requests to, besides its own server: the API, and the servers that issue tokens for it. */
function addressesOf({ host, protocol = 'http', oauth2 }: ExplorerSettings): string[] {
  const api = host === undefined ? [] : originOf(`${protocol}://${host}`)
  const flows = Object.values(oauth2?.flows ?? {})
  return [
    ...new Set([...api, ...flows.flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl].flatMap(originOf))])
  ]
}

/** What a browser lets the page do: it holds a token, so nothing of others runs in it. */
function contentSecurityPolicy(options: ExplorerSettings): Record<string, string[]> {
  return {
    'default-src': ["'self'"],
    'base-uri': ["'self'"],
    'connect-src': ["'self'", ...addressesOf(options)],
    'font-src': ["'self'", 'data:'],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'img-src': ["'self'", 'data:'],
    'object-src': ["'none'"],
    'script-src': ["'self'"],
    // swagger-ui sets styles on its elements.
    'style-src': ["'self'", "'unsafe-inline'"]
  }
}
