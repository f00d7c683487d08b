import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { addBodyParsers } from '../http/body-parsers.ts'
import { limitRate } from '../http/limit-rate.ts'
import { refuseGet } from '../http/refuse-get.ts'
import { sendError } from '../http/send-error.ts'
import { showError } from '../http/show-error.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Path } from '../settings.ts'
import { authorize } from './authorize.ts'
import { decision } from './decision.ts'
import { introspect } from './introspect.ts'
import { metadataPaths, serverMetadata } from './metadata.ts'
import { revoke } from './revoke.ts'
import { token } from './token.ts'

/** Answers a request. */
export type Endpoint = (parts: ServerParts, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

interface Mounted {
  readonly path: Path
  readonly method: HTTPMethods[]
  readonly endpoint: Endpoint
}

function addRoutes(scope: FastifyInstance, parts: ServerParts, mounted: readonly Mounted[]): void {
  for (const { path, method, endpoint } of mounted)
    if (path !== undefined)
      scope.route({
        method,
        url: path,
        exposeHeadRoute: false,
        handler: (request, reply) => endpoint(parts, request, reply)
      })
}

/** Endpoints that programs call: errors are JSON. */
async function addMachineRoutes(scope: FastifyInstance, parts: ServerParts): Promise<void> {
  const { paths, rules } = parts.settings
  await addBodyParsers(scope)
  scope.setErrorHandler((error, request, reply) => sendError(request, reply, error, rules))
  await limitRate(scope, parts, 'endpoints')
  addRoutes(scope, parts, [
    { path: paths.token, method: ['POST'], endpoint: token },
    { path: paths.revoke, method: ['POST'], endpoint: revoke },
    { path: paths.introspect, method: ['POST'], endpoint: introspect }
  ])
  // LB3: there is nothing at these paths but POST; pinned by the recorded pairs.
  const refused = rules.leavesGetUnanswered ? [] : [paths.token, paths.revoke, paths.introspect]
  for (const path of refused) if (path !== undefined) refuseGet(scope, path)
}

/** Endpoints that browsers come to: errors are pages. */
async function addBrowserRoutes(scope: FastifyInstance, parts: ServerParts): Promise<void> {
  const { paths } = parts.settings
  await addBodyParsers(scope)
  scope.setErrorHandler((error, request, reply) => showError(parts, request, reply, error))
  addRoutes(scope, parts, [
    { path: paths.authorize, method: ['GET', 'POST'], endpoint: authorize },
    { path: paths.decision, method: ['POST'], endpoint: decision }
  ])
}

/** Adds the endpoints that are not switched off. */
export async function registerEndpoints(app: FastifyInstance, parts: ServerParts): Promise<void> {
  await app.register(async (scope) => addMachineRoutes(scope, parts))
  await app.register(async (scope) => addBrowserRoutes(scope, parts))
  const { issuer } = parts.settings
  if (issuer === undefined) return
  const body = JSON.stringify(serverMetadata(parts))
  for (const path of metadataPaths(issuer, 'oauth-authorization-server'))
    app.get(path, async (_request, reply) => reply.type('application/json').send(body))
}
