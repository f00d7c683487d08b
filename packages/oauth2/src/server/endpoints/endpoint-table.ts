import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { ServerServices } from '../../container.ts'
import { userinfo } from '../../oidc/userinfo.ts'
import type { Paths } from '../../options/settings.ts'
import { authorizeDevice } from '../grants/device-code.ts'
import { authorize } from './authorize.ts'
import { decision } from './decision.ts'
import { introspect, revoke } from './issued-tokens.ts'
import { token } from './token.ts'

/** An endpoint: its path, its methods, and its metadata. */
export interface Endpoint {
  /** The name of its path in `settings.paths`; it is not served if that is undefined. */
  readonly path: keyof Paths
  readonly methods: HTTPMethods[]
  readonly answer: (services: ServerServices, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** How requests are limited and errors are sent. */
  readonly group: GroupName
  /** The metadata member with its URL. */
  readonly metadata?: string
  /** HEAD is handled like GET. */
  readonly answersHead?: boolean
}

/** Endpoints of a group share their rate limits and error format. */
export type GroupName = 'programs' | 'openid' | 'devices' | 'browsers'

/** All endpoints. */
export const endpointTable = {
  authorization: {
    path: 'authorize',
    methods: ['GET', 'POST'],
    answer: authorize,
    group: 'browsers',
    metadata: 'authorization_endpoint'
  },
  decision: { path: 'decision', methods: ['POST'], answer: decision, group: 'browsers' },
  token: { path: 'token', methods: ['POST'], answer: token, group: 'programs', metadata: 'token_endpoint' },
  revoke: { path: 'revoke', methods: ['POST'], answer: revoke, group: 'programs', metadata: 'revocation_endpoint' },
  introspect: {
    path: 'introspect',
    methods: ['POST'],
    answer: introspect,
    group: 'programs',
    metadata: 'introspection_endpoint'
  },
  userinfo: {
    path: 'userinfo',
    methods: ['GET', 'POST'],
    answer: userinfo,
    group: 'openid',
    metadata: 'userinfo_endpoint',
    answersHead: true
  },
  deviceAuthorization: {
    path: 'deviceAuthorization',
    methods: ['POST'],
    answer: authorizeDevice,
    group: 'devices',
    metadata: 'device_authorization_endpoint'
  }
} satisfies Readonly<Record<string, Endpoint>>
