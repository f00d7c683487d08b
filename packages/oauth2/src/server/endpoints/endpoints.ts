import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerServices } from '../../container.ts'
import { limitRate } from '../../http/limits.ts'
import { addBodyParsers } from '../../http/parameters.ts'
import { refuseGet, sendError, toOAuthError } from '../../http/send-error.ts'
import type { OAuth2Rules } from '../../options/loopback-rules.ts'
import { type Endpoint, endpointTable, type GroupName } from './endpoint-table.ts'
import { addMetadata } from './metadata.ts'

/** Handles a request to a custom route, including errors. */
export type EndpointFunction = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The endpoints, for custom routes if the options disable the default ones. */
export interface EndpointFunctions {
  readonly authorization: EndpointFunction
  readonly decision: EndpointFunction
  readonly token: EndpointFunction
  readonly revoke: EndpointFunction
}

/** Sends an error. */
type Fail = (
  services: ServerServices,
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown
) => FastifyReply | Promise<FastifyReply>

/** The common settings of one scope's endpoints. */
interface Group {
  readonly fail: Fail
  /** The name under which requests are counted; no limit when absent. */
  readonly limit?: string
  /** Whether GET of an endpoint that only accepts POST is answered with 405. */
  readonly refusesGet: (rules: OAuth2Rules) => boolean
}

const answerError: Fail = ({ settings }, request, reply, error) => sendError(request, reply, error, settings.rules)

/** Answers a browser with an error: a page, or what LoopBack's component answers. */
const showError: Fail = ({ settings: { rules }, interaction }, request, reply, thrown) => {
  const error = toOAuthError(thrown)
  if (rules.showsErrorsAsJson) return sendError(request, reply, error, rules)
  if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error }, 'oauth2: a request failed')
  return interaction.showError(request, reply, error)
}

const groups: Readonly<Record<GroupName, Group>> = {
  // LB3: there is nothing at these paths but POST; pinned by the recorded pairs.
  programs: { fail: answerError, limit: 'endpoints', refusesGet: ({ leavesGetUnanswered }) => !leavesGetUnanswered },
  openid: {
    fail: (_services, request, reply, error) => sendError(request, reply, error, { answersAsOriginal: false }),
    limit: 'openid',
    refusesGet: () => false
  },
  devices: { fail: answerError, limit: 'device', refusesGet: () => true },
  browsers: { fail: showError, refusesGet: () => false }
}

/** Adds the endpoints of a group in a scope with its own reader of bodies. */
async function addGroup(
  scope: FastifyInstance,
  services: ServerServices,
  { fail, limit, refusesGet }: Group,
  endpoints: readonly Endpoint[]
): Promise<void> {
  const { paths, rules } = services.settings
  await addBodyParsers(scope)
  scope.setErrorHandler((error, request, reply) => fail(services, request, reply, error))
  if (limit !== undefined) await limitRate(scope, services, limit)
  for (const { path, methods, answer, answersHead = false } of endpoints) {
    const url = paths[path] ?? ''
    const handler: EndpointFunction = (request, reply) => answer(services, request, reply)
    scope.route({ method: methods, url, handler, ...(!answersHead && { exposeHeadRoute: false }) })
    if (!methods.includes('GET') && refusesGet(rules)) refuseGet(scope, url)
  }
}

/** Adds the enabled endpoints, and the metadata that lists them. */
export async function addEndpoints(app: FastifyInstance, services: ServerServices): Promise<void> {
  const served = Object.values<Endpoint>(endpointTable).filter(
    ({ path }) => services.settings.paths[path] !== undefined
  )
  for (const [name, group] of Object.entries(groups)) {
    const endpoints = served.filter((endpoint) => endpoint.group === name)
    if (endpoints.length > 0) await app.register(async (scope) => addGroup(scope, services, group, endpoints))
  }
  addMetadata(app, services)
}

/** Makes the endpoints as functions. @see loopback-component-oauth2: the handlers that its set-up returns */
export function makeEndpointFunctions(services: ServerServices): EndpointFunctions {
  const functionOf =
    ({ answer, group }: Endpoint): EndpointFunction =>
    async (request, reply) => {
      try {
        return await answer(services, request, reply)
      } catch (error) {
        return groups[group].fail(services, request, reply, error)
      }
    }
  const { authorization, decision, token, revoke } = endpointTable
  return {
    authorization: functionOf(authorization),
    decision: functionOf(decision),
    token: functionOf(token),
    revoke: functionOf(revoke)
  }
}
