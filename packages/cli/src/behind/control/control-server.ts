import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@modelwire/core'
import { type Static, Type } from '@sinclair/typebox'
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import {
  ControlFailed,
  ControlPathUnknown,
  ControlRequestInvalid,
  ControlOriginRefused,
  ControlTokenRequired,
  errorBody,
  UnknownRoute
} from '../../errors.ts'
import { describeDifferences, describeState } from '../routes/describe-evidence.ts'
import { type RouteTable, otherRequests, type RouteEntry } from '../routes/route-table.ts'
import type { Handover } from '../routes/handover.ts'
import { pageScript } from './page-script.ts'

/** Selects routes. */
interface RouteSelection {
  /** Names, endpoints such as `GET /api/Products`, or names with `*` for any characters. */
  readonly routes?: readonly string[]
  /** Every operation. The entry for requests that match no operation must be named. */
  readonly all?: boolean
}

/** The look of the control page: one sheet, inline, that needs nothing from anywhere. */
const pageStyle: string = `:root{color-scheme:light dark;--line:light-dark(#c9ced6,#3d434d);--link:light-dark(#1d5fbf,#8ab8ff);background:light-dark(#fff,#16181c);color:light-dark(#1a1c20,#e8eaed);font:16px/1.5 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0}main{max-width:80rem;margin:0 auto;padding:1.5rem}h1{font-size:1.5rem;margin:0 0 .25rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin:2rem 0 .5rem}h3,h4{font-size:1rem;margin:1rem 0 .25rem}
code,pre{font:.875rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}pre{margin:.25rem 0}
button,input{font:inherit;color:inherit;background:transparent;border:1px solid light-dark(#6b7380,#8b93a0);border-radius:.375rem;padding:.25rem .75rem;min-height:2.25rem}
button{cursor:pointer}button:hover{background:color-mix(in srgb,currentColor 10%,transparent)}button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}[hidden]{display:none!important}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:1rem 0}label{display:grid;gap:.125rem}input{width:18rem;max-width:100%}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}thead th{border:0;font-size:.875rem}
th[scope=row]{font-weight:600}th small{font-weight:400}thead th{overflow-wrap:normal}td.action button{white-space:nowrap}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}small{display:block;color:light-dark(#4b525d,#aab2bd)}small.since{white-space:nowrap}small:empty{display:none}
.new{color:light-dark(#176b2c,#7ddf95);font-weight:600}.bad{color:light-dark(#a3261c,#ff9d94);font-weight:600}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}summary{cursor:pointer;overflow-wrap:anywhere}
#alert{color:light-dark(#a3261c,#ff9d94)}#alert:empty,#status:empty{display:none}
@media(max-width:48rem){main{padding:.75rem}thead{display:none}table,tbody,tr,th,td{display:block}tr{padding:.5rem 0;border-top:1px solid var(--line)}th,td{border:0;padding:.1rem 0}td.number{text-align:left}
td::before{content:attr(data-label) ": ";font-weight:600}td.action::before{content:none}td:empty{display:none}input{width:100%}label{width:100%}}`

/** A page with its inline script and style sheet. */
interface ControlPage {
  readonly html: string
  readonly script: string
  readonly style: string
}

const heads = ['Route', 'Answered by', 'Requests', 'Equal', 'Different', 'Not compared', 'Action']

const headCell = (text: string, at: number): string =>
  `<th scope="col"${at > 1 && at < 6 ? ' class="number"' : ''}>${text}</th>`

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The dependencies of the control API. */
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

/** The response of the control API to a handover. */
export interface HandoverAnswer {
  readonly owner: 'old' | 'new'
  /** Routes that had the other owner before. */
  readonly changed: readonly string[]
  /** All selected routes. */
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

/** Creates the server of the control page and its API; it does not listen yet. */
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
    throw new ControlPathUnknown(`unknown endpoint ${method} ${url.split('?')[0] ?? ''}`)
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

/**
 * Refuses requests that come by a foreign name, as those of a page do whose own name was made to lead here, and those of
 * pages of another origin.
 * @throws {ControlOriginRefused} the request is one of these
 */
function checkOrigin({ headers, socket }: FastifyRequest): void {
  const { host = '', origin } = headers
  const port = socket.localPort ?? 80
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  if (!own.includes(host)) throw new ControlOriginRefused('use 127.0.0.1 or localhost')
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ControlOriginRefused('requests from pages of another origin are not allowed')
}

/**
 * Makes the check of the bearer token.
 * @returns throws {ControlTokenRequired} where a request does not carry it
 */
function makeTokenCheck(token: string): (request: FastifyRequest) => void {
  const wanted = digest(token)
  return ({ headers }) => {
    const [, sent = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
    if (!timingSafeEqual(digest(sent), wanted))
      throw new ControlTokenRequired('send the token of this start: Authorization: Bearer …')
  }
}

/** The control page. It holds no facts: its script fetches them with the token after the `#` of its address. */
function controlPage(): ControlPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>modelwire serve --behind</title><style>${pageStyle}</style></head>
<body><main><h1>Modelwire before <span id="old">the old server</span></h1>
<p id="alert" role="alert"></p><p id="status" role="status"></p>
<form id="door" hidden><div class="bar"><label for="token">Token, as printed at the start<input id="token" type="password" autocomplete="off" required></label><button type="submit">Show</button></div></form>
<div id="evidence" hidden><p id="summary"></p>
<div class="bar"><label for="filter">Show only<input id="filter" type="search" placeholder="Product, or GET /api"></label>
<button id="over" type="button">Hand over those shown</button><button id="back" type="button">Hand back those shown</button></div>
<section aria-labelledby="routes-title"><h2 id="routes-title">Routes</h2>
<table><thead><tr>${heads.map(headCell).join('')}</tr></thead><tbody id="routes"></tbody></table></section>
<section aria-labelledby="differences-title"><h2 id="differences-title">Differences</h2>
<p id="none">No answers differed.</p><div id="some" hidden><h3>In what answers differ, with the latest example</h3><div id="groups"></div>
<h3>The latest requests with different answers</h3><div id="latest"></div></div></section></div></main>
<script>${pageScript}</script></body></html>
`
  return { html, script: pageScript, style: pageStyle }
}

function fits(wanted: string, { name, endpoints }: RouteEntry): boolean {
  if (name === wanted || endpoints.includes(wanted)) return true
  if (!wanted.includes('*') || name === otherRequests) return false
  const parts = wanted.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

/**
 * The entries that are meant.
 * @throws {UnknownRoute} a name fits no route
 */
function selectRoutes({ entries }: RouteTable, { routes = [], all = false }: RouteSelection): readonly RouteEntry[] {
  const unknown = routes.find((wanted) => !entries.some((entry) => fits(wanted, entry)))
  if (unknown !== undefined) throw new UnknownRoute(`unknown route ${unknown}`)
  return entries.filter(
    (entry) => (all && entry.name !== otherRequests) || routes.some((wanted) => fits(wanted, entry))
  )
}
