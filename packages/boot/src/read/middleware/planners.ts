import { existsSync } from 'node:fs'
import { isPlainObject } from '@modelwire/server'
import type { MiddlewareEntry } from '@modelwire/loopback/express'
import { registerCors } from './cors.ts'
import { errorOptions, errorOptions2 } from './error-options.ts'
import { helmetDefaults, isHelmetPart } from './helmet-options.ts'
import type { PlanContext, PlanDraft } from './middleware-plan.ts'
import { registerStatus } from './status-route.ts'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'

/** The kind of a middleware on Fastify. */
export type PlanKind = keyof typeof planners

type Planner = (draft: PlanDraft, entry: MiddlewareEntry, context: PlanContext) => void

/** Adds one kind of middleware to a plan. */
export const planners = {
  rest: (draft, { paths }) => {
    draft.restPaths.push(...orRoot(paths))
  },
  // Every unknown path is answered anyway, in LoopBack's shape.
  urlNotFound: () => {},
  errorHandler: (draft, entry, { add }) => {
    draft.errors = { options: errorOptions(entry, add), page: false, inVersion3: entry.name === 'strong-error-handler' }
  },
  errorHandler2: (draft, entry) => {
    draft.errors = { options: errorOptions2(entry), page: true, inVersion3: false }
  },
  cors: (draft, { params, paths }) => {
    draft.steps.push({ label: 'cors', register: (server) => registerCors(server, params, paths) })
  },
  compression: (draft, { params, file, key, paths }, { add }) => {
    const threshold =
      isPlainObject(params) && typeof params['threshold'] === 'number' ? { threshold: params['threshold'] } : {}
    if (paths.length > 0)
      add('differs', { file, key: `${key}.paths` }, 'responses of all paths are compressed', {
        advice: 'remove paths, or leave compression to the proxy'
      })
    draft.steps.push({
      label: 'compression',
      register: async (server) => {
        const { default: fastifyCompress } = await import('@fastify/compress')
        await server.register(fastifyCompress, { ...threshold, globalDecompression: false })
      }
    })
  },
  helmet: (draft, entry, context) => planHelmet(draft, entry, context),
  static: (draft, entry, context) => planFiles(draft, entry, context),
  favicon: (draft, { params, file, key }, { add }) => {
    const icon = typeof params === 'string' ? params : undefined
    if (icon === undefined)
      add('differs', { file, key }, "LoopBack's icon is not part of this server: /favicon.ico returns 204", {
        advice: 'to use your own icon, name it in params'
      })
    draft.steps.push({ label: 'favicon', register: (server) => registerFavicon(server, icon) })
  },
  status: (draft, { paths }) => {
    for (const path of orRoot(paths))
      draft.steps.push({ label: `status at ${path}`, register: (server) => registerStatus(server, path) })
  },
  // Tokens are read wherever there are models of them.
  token: (_draft, { file, key, paths }, { add }) => {
    if (paths.some((path) => path !== '/'))
      add('differs', { file, key: `${key}.paths` }, 'tokens are read from requests to all paths')
  },
  context: (draft) => {
    draft.usesContext = true
  },
  bodyParser: (draft, entry) => {
    draft.bodyParsers.push(entry)
  }
} satisfies Record<string, Planner>

function orRoot(paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? ['/'] : paths
}

function planFiles(
  draft: PlanDraft,
  { params: root, moreParams, paths, file, key }: MiddlewareEntry,
  { add }: PlanContext
): void {
  if (typeof root !== 'string' || !existsSync(root)) {
    add('ignored', { file, key }, 'params must be the path of an existing folder', {
      advice: 'create the folder, or correct the path: $!../client is relative to this file'
    })
    return
  }
  for (const path of orRoot(paths)) {
    const existing = draft.files.get(path)
    if (existing === undefined) draft.files.set(path, { roots: [root], options: moreParams[0] })
    else existing.roots.push(root)
    if (existing !== undefined && moreParams.length > 0) {
      add('differs', { file, key }, `the options of the first folder at ${path} also apply to this one`, {
        advice: 'give each folder a different path'
      })
    }
  }
}

function planHelmet(draft: PlanDraft, { name, params, file, key }: MiddlewareEntry, { add }: PlanContext): void {
  const part = name.split('#')[1]
  if (part === undefined) {
    for (const each of helmetDefaults) draft.helmet.set(each, isPlainObject(params) ? params[each] : undefined)
    return
  }
  if (isHelmetPart(part)) draft.helmet.set(part, params)
  else add('ignored', { file, key }, 'helmet no longer has this middleware', { advice: 'remove it' })
  if (part === 'xssFilter')
    add(
      'differs',
      { file, key },
      'the header is set to 0, because the XSS filters of old browsers made pages less safe',
      {
        advice: 'no action needed, or remove the entry'
      }
    )
}

/** Answers `/favicon.ico` with a file, or with nothing at all. */
async function registerFavicon(server: FastifyInstance, path: string | undefined): Promise<void> {
  const icon = path === undefined ? undefined : await readFile(path)
  server.get('/favicon.ico', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=86400')
    return icon === undefined ? reply.code(204).send() : reply.type('image/x-icon').send(icon)
  })
}
