import { MiddlewareRemoved, UnknownMiddleware } from '../../errors.ts'
import { entryOf, type MiddlewareEntry, type ScriptMount } from '@modelwire/loopback/express'
import type { MiddlewarePlan, MiddlewareStep, PlanContext, PlanDraft } from './middleware-plan.ts'
import { packageOfGetter } from './getters-version2.ts'
import { type PlanKind, planners } from './planners.ts'
import { moduleExists } from './resolve-module.ts'
import { helmetOptions, noCacheHeaders } from './helmet-options.ts'
import { answerStatus } from './status-route.ts'
import { isPlainObject } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'

/** True where an explorer among the mounts has the path. */
const hasExplorer = (mounts: readonly ScriptMount[], path: string): boolean =>
  mounts.some((mount) => mount.kind === 'explorer' && mount.path === path)

const statusStep = ({ path }: ScriptMount): MiddlewareStep => ({
  label: `status at ${path}`,
  register: async (server: FastifyInstance) => answerStatus(server, path)
})

/** Options that `serve-static` and `@fastify/static` share. */
const optionNames = new Set([
  'acceptRanges',
  'cacheControl',
  'dotfiles',
  'etag',
  'extensions',
  'immutable',
  'index',
  'lastModified',
  'maxAge',
  'redirect'
])

/** Names of middleware that have a meaning on Fastify. */
const kinds: ReadonlyMap<string, PlanKind> = new Map([
  ['loopback#rest', 'rest'],
  ['loopback#urlNotFound', 'urlNotFound'],
  ['strong-error-handler', 'errorHandler'],
  ['errorhandler', 'errorHandler'],
  ['cors', 'cors'],
  ['compression', 'compression'],
  ['helmet', 'helmet'],
  ['loopback#static', 'static'],
  ['serve-static', 'static'],
  ['loopback#favicon', 'favicon'],
  ['serve-favicon', 'favicon'],
  ['loopback#status', 'status'],
  ['loopback#token', 'token'],
  ['body-parser', 'bodyParser'],
  ['body-parser#json', 'bodyParser'],
  ['body-parser#urlencoded', 'bodyParser']
])

/** Middleware that `loopback` had in version 2 alone, with what it is here. */
const kinds2: ReadonlyMap<string, PlanKind> = new Map([
  ['loopback#context', 'context'],
  ['loopback#errorHandler', 'errorHandler2'],
  ['loopback#compress', 'compression']
])

const removed =
  /^loopback#(context|errorHandler|bodyParser|compress|cookieParser|cookieSession|csrf|directory|json|limit|logger|methodOverride|responseTime|session|timeout|urlencoded|vhost)$/

/**
 * Plans the middleware of an application on Fastify. Anything without an equivalent there is reported.
 * @throws {UnknownMiddleware} a middleware is neither known nor installed
 * @throws {MiddlewareRemoved} version 3 of LoopBack has it no more
 */
export function planMiddleware(entries: readonly MiddlewareEntry[], context: PlanContext): MiddlewarePlan {
  const draft: PlanDraft = {
    restPaths: [],
    steps: [],
    helmet: new Map(),
    files: new Map(),
    foreign: [],
    bodyParsers: [],
    errors: undefined,
    usesContext: false
  }
  for (const entry of entries) planEntry(draft, entry, context)
  const {
    restPaths,
    foreign,
    bodyParsers,
    usesContext,
    errors = { options: {}, page: false, inVersion3: false }
  } = draft
  return { restPaths, errors, foreign, bodyParsers, usesContext, steps: orderSteps(draft) }
}

/** CORS comes before everything that could answer, and headers come before answers. */
function orderSteps({ steps, helmet, files }: PlanDraft): MiddlewareStep[] {
  const headers = helmet.size === 0 ? [] : [registerHelmet(helmet)]
  const served = Array.from(files, ([path, { roots, options }]): MiddlewareStep => {
    return { label: `files at ${path}`, register: (server) => registerStatic(server, roots, path, options) }
  })
  return [...steps.filter(isCors), ...headers, ...steps.filter((step) => !isCors(step)), ...served]
}

function isCors({ label }: { label: string }): boolean {
  return label === 'cors'
}

function planEntry(draft: PlanDraft, entry: MiddlewareEntry, context: PlanContext): void {
  const kind = kindOf(entry, context)
  if (kind === undefined) planForeign(draft, entry, context)
  else planners[kind](draft, entry, context)
  if (kind !== undefined && entry.methods.length > 0) {
    context.add('ignored', { file: entry.file, key: `${entry.key}.methods` }, 'it applies to every method', {
      effect: 'differs',
      advice: 'remove methods'
    })
  }
}

function kindOf({ name, file, key }: MiddlewareEntry, { version }: PlanContext): PlanKind | undefined {
  const kind = kinds.get(name) ?? (version === 2 ? kinds2.get(name) : undefined)
  if (kind !== undefined) return kind
  if (version === 3 && removed.test(name)) {
    throw new MiddlewareRemoved(`LoopBack 3 has no ${name}: use the package that it came from`, {
      file,
      key
    })
  }
  return name.startsWith('helmet#') ? 'helmet' : undefined
}

function planForeign(draft: PlanDraft, entry: MiddlewareEntry, { folder, add, honoured, version }: PlanContext): void {
  const { name, file, key, optional } = entry
  if (honoured.has(name)) return
  const source = version === 2 ? packageOfGetter(name) : undefined
  if (source !== undefined && moduleExists(folder, source)) draft.foreign.push({ ...entry, name: source })
  else if (version === 2 && removed.test(name))
    add('ignored', { file, key }, 'in LoopBack it came from a package: name that package instead', {
      advice: 'install the Express package and name it here'
    })
  else if (moduleExists(folder, name)) draft.foreign.push(entry)
  else if (optional) add('info', { file, key }, 'it is optional and not installed')
  else throw new UnknownMiddleware(`unknown middleware "${name}": no package of this name is installed`, { file, key })
}

/** The step that sets the headers of the parts wanted, by their old names. */
function registerHelmet(wanted: ReadonlyMap<string, unknown>): MiddlewareStep {
  return {
    label: `helmet (${[...wanted.keys()].join(', ')})`,
    register: async (server) => {
      const { default: fastifyHelmet } = await import('@fastify/helmet')
      await server.register(fastifyHelmet, helmetOptions(wanted))
      if (!wanted.has('noCache')) return
      server.addHook('onRequest', async (_request, reply) => {
        reply.headers(noCacheHeaders)
      })
    }
  }
}

/**
 * Serves the files of folders, the first that has a file, below `prefix`, as `serve-static` does: `index.html` for
 * folders, hidden files not at all. What is not a file is left to the handler of unknown paths.
 */
async function registerStatic(
  server: FastifyInstance,
  roots: readonly string[],
  prefix: string,
  options: unknown
): Promise<void> {
  const entries = Object.entries(isPlainObject(options) ? options : {}).filter(([name]) => optionNames.has(name))
  const { default: fastifyStatic } = await import('@fastify/static')
  await server.register(fastifyStatic, {
    dotfiles: 'ignore',
    ...Object.fromEntries(entries),
    // Another handler at this very path came first.
    redirect:
      !server.hasRoute({ method: 'GET', url: prefix }) &&
      !entries.some(([name, value]) => name === 'redirect' && value === false),
    root: [...roots],
    prefix,
    decorateReply: false
  })
}

/**
 * Plans the handlers that scripts mounted on Fastify. Explorers are registered later; if one has the same path as a status
 * route, the one mounted first wins.
 */
export function planMounts(mounts: readonly ScriptMount[], context: PlanContext): MiddlewarePlan {
  const isContested = ({ kind, path }: ScriptMount): boolean => kind === 'status' && hasExplorer(mounts, path)
  const regular = mounts.filter((mount) => mount.kind !== 'explorer' && !isContested(mount))
  const ahead = mounts.filter((mount, index) => isContested(mount) && !hasExplorer(mounts.slice(0, index), mount.path))
  const plan = planMiddleware(regular.map(entryOf), context)
  return { ...plan, steps: [...plan.steps, ...ahead.map(statusStep)] }
}
