import { createServer as createHttp, type Server } from 'node:http'
import { join } from 'node:path'
import { createServer } from '@modelwire/boot'
import Fastify, { type FastifyInstance } from 'fastify'
import { until } from '@modelwire/test-waits'
import type { Test } from 'tap'
import { behindServerOptions, type BehindFlags, readBehindOptions } from '#src/behind/behind-options.ts'
import { type Behind, startBehind } from '#src/behind/start-behind.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

/** The application of the tests: open notes. */
export const openApp = {
  ...noteApp,
  'common/models/note.json': { name: 'Note', properties: { text: 'string', done: 'boolean' } },
  'common/models/note.js': `module.exports = (Note) => {
    Note.shout = (done) => done(null, 'NEW')
    Note.remoteMethod('shout', { http: { verb: 'get' }, returns: { root: true } })
    const fail = (ctx, x, next) => next(process.env.BROKEN_NOTES === undefined ? null : new Error('broken'))
    for (const name of ['count', 'shout']) Note.afterRemote(name, fail)
  }`
}

/** What the old server answers to `GET /api/Notes`, and everything else that it is asked. */
export interface Old {
  readonly server: FastifyInstance
  readonly url: string
  readonly asked: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, unknown>>
  }[]
  rows: unknown
  /** Is waited for before each answer. */
  before: () => Promise<void> | void
}

/** A server as it was there before: the same notes, and routes of its own. */
export async function startOld(t: Test, setUp: (server: FastifyInstance) => void = () => undefined): Promise<Old> {
  const server = Fastify({ forceCloseConnections: true })
  t.teardown(() => server.close())
  const old: Omit<Old, 'server' | 'url'> = { rows: [], asked: [], before: () => undefined }
  server.addHook('onRequest', async ({ method, url, headers }) => {
    old.asked.push({ method, url, headers })
    await old.before()
  })
  server.get('/api/Notes', async () => old.rows)
  server.get('/api/Notes/count', async () => ({ count: 0 }))
  server.get('/page', async (_request, reply) => reply.type('text/html').send('<p>old</p>'))
  server.setNotFoundHandler(async ({ method }, reply) => {
    reply.code(404)
    return { error: { statusCode: 404, name: 'Error', message: `old ${method}` } }
  })
  setUp(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return Object.assign(old, { server, url })
}

/** Modelwire before an old server, and its control API. */
export interface Front {
  readonly url: string
  readonly dir: string
  readonly server: FastifyInstance
  readonly behind: Behind
  readonly control: (path: string, body?: object) => Promise<{ status: number; json: Record<string, unknown> }>
  readonly give: (owner: 'old' | 'new', ...routes: readonly string[]) => Promise<unknown>
  /** The evidence of one route, once `isReady` holds for it. */
  readonly route: (name: string, isReady?: (route: RouteView) => boolean) => Promise<RouteView>
  readonly close: () => Promise<void>
}

/** A route as the control API shows it. */
export interface RouteView {
  readonly name: string
  readonly owner: string
  readonly cause: string
  readonly reads: boolean
  readonly equal: number
  readonly different: number
  readonly notCompared: Readonly<Record<string, number>>
  readonly answered: { readonly old: number; readonly new: number }
  readonly serverErrors: number
}

type Flags = Omit<BehindFlags, 'behind'> & { readonly dir?: string }

/** Starts the application before the server at `url`. */
export async function startFront(
  t: Test,
  url: string,
  { dir = makeFolder(t, openApp), ...flags }: Flags = {}
): Promise<Front> {
  const server = await createServer({ dir, ...behindServerOptions({ behind: url }) })
  const options = readBehindOptions(dir, { behind: url, controlPort: '0', ...flags })
  if (options === undefined) throw new Error('no options')
  const behind = await startBehind(server, options, undefined)
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    behind.endSockets()
    await server.close()
    await behind.close()
  }
  t.teardown(close)
  const control = askerOf(behind)
  return {
    url: await server.listen({ host: '127.0.0.1', port: 0 }),
    dir,
    server,
    behind,
    control,
    give: (owner, ...routes) => control('/handover', { owner, routes }),
    route: (name, isReady = () => true) => routeOf(control, name, isReady),
    close
  }
}

function askerOf({ access: { url, token } }: Behind): Front['control'] {
  return async (path, body) => {
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) })
    })
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
}

/** Comparisons happen in the background: asks until the route is as wanted. */
async function routeOf(
  control: Front['control'],
  name: string,
  isReady: (route: RouteView) => boolean
): Promise<RouteView> {
  let found: RouteView | undefined
  const look = async (): Promise<RouteView | undefined> => {
    const { json } = await control('/state')
    found = (json['routes'] as RouteView[]).find((route) => route.name === name)
    if (found === undefined) throw new Error(`no route ${name}`)
    return isReady(found) ? found : undefined
  }
  return until(look, () => `the route, which is still ${JSON.stringify(found)}`)
}

/** A bare server, for what Fastify does not do. */
export async function startBare(t: Test, server: Server = createHttp()): Promise<{ server: Server; url: string }> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

/** The state file of a folder. */
export const stateFile = (dir: string): string => join(dir, '.modelwire/behind.json')
