import { createHash } from 'node:crypto'
import { ApiError } from '@modelwire/core'
import { type Static, Type } from '@sinclair/typebox'
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { ControlFailed, ControlPathUnknown, ControlRequestInvalid, errorBody } from '../errors.ts'
import { describeDifferences, describeState } from '../evidence/describe-evidence.ts'
import type { RouteTable } from '../routes/route-table.ts'
import { selectRoutes } from '../routes/select-routes.ts'
import type { Handover } from '../state/handover.ts'
import { checkOrigin, makeTokenCheck } from './guard-control.ts'
import { controlPage } from './page.ts'

/** What the control API shows and does. */
export interface ControlParts {
  readonly table: RouteTable
  readonly handover: Handover
  readonly old: URL
  readonly token: string
  readonly log: FastifyBaseLogger
}

const HandoverSchema = Type.Object(
  {
    owner: Type.Union([Type.Literal('old'), Type.Literal('new')]),
    routes: Type.Optional(Type.Array(Type.String())),
    all: Type.Optional(Type.Boolean()),
    cause: Type.Optional(Type.Union([Type.Literal('command'), Type.Literal('page')]))
  },
  { additionalProperties: false }
)

/** What the control API answers to a handover. */
export interface HandoverAnswer {
  readonly owner: 'old' | 'new'
  /** Routes that had the other owner before. */
  readonly changed: readonly string[]
  /** All routes that were meant. */
  readonly routes: readonly string[]
}

/** Only the API's own errors have details; the others are logged. */
function errorOf(error: FastifyError | ApiError, log: FastifyBaseLogger): ApiError {
  if (error instanceof ApiError && error.statusCode < 500) return error
  if (!(error instanceof ApiError) && (error.statusCode ?? 500) < 500) return new ControlRequestInvalid(error.message)
  log.error({ err: error }, 'the control API failed')
  return error instanceof ApiError ? error : new ControlFailed('Internal Server Error', { cause: error })
}

const source = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page is the only thing that is shown without a token: it holds no data, and requires one. */
function addPage(server: FastifyInstance): void {
  const { html, script, style } = controlPage()
  const policy = [
    "default-src 'none'",
    `script-src ${source(script)}`,
    `style-src ${source(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
  server.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)
  )
}

function addApi(server: FastifyInstance, { table, handover, old, token }: ControlParts): void {
  const started = new Date()
  const checkToken = makeTokenCheck(token)
  void server.register(async (scope) => {
    scope.addHook('onRequest', async (request) => checkToken(request))
    scope.get('/state', async () => describeState(table, old, started))
    scope.get('/differences', async () => describeDifferences(table))
    scope.post<{ Body: Static<typeof HandoverSchema> }>(
      '/handover',
      { schema: { body: HandoverSchema } },
      async ({ body }): Promise<HandoverAnswer> => {
        const { owner, cause = 'command', ...selection } = body
        const chosen = selectRoutes(table, selection)
        if (chosen.length === 0) throw new ControlRequestInvalid('name routes, or say all')
        const changed = await handover.give(chosen, owner, cause)
        return { owner, changed: changed.map(({ name }) => name), routes: chosen.map(({ name }) => name) }
      }
    )
  })
}

/** The server of the control page and its API; it does not listen yet. */
export function makeControlServer(parts: ControlParts): FastifyInstance {
  const server = fastify({
    forceCloseConnections: true,
    requestTimeout: 10_000,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } }
  })
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const sent = errorOf(error, parts.log)
    return reply.code(sent.statusCode).send(errorBody(sent))
  })
  server.setNotFoundHandler(async ({ method, url }) => {
    throw new ControlPathUnknown(`there is no ${method} ${url.split('?')[0] ?? ''} here`)
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer'
    })
    checkOrigin(request)
  })
  addPage(server)
  addApi(server, parts)
  return server
}
