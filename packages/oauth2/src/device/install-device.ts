import { addressOf } from '../http/address-of.ts'
import type { FastifyInstance } from 'fastify'
import { addBodyParsers } from '../http/body-parsers.ts'
import { limitRate } from '../http/limit-rate.ts'
import { refuseGet } from '../http/refuse-get.ts'
import { sendError } from '../http/send-error.ts'
import { addPageScope } from '../pages/install-pages.ts'
import type { PageParts } from '../pages/page-parts.ts'
import type { ServerParts } from '../server-parts.ts'
import { authorizeDevice } from './device-authorization.ts'
import { makeDeviceCodes } from './device-codes.ts'
import { deviceCode, deviceGrant } from './device-grant.ts'
import { addDevicePages } from './device-pages.ts'

/** Adds the device flow, where the server has an issuer and sessions. @see RFC 8628 */
export async function installDevice(app: FastifyInstance, parts: ServerParts, pages: PageParts): Promise<void> {
  const { settings, grants, moreMetadata } = parts
  const { issuer, paths, grantTypes } = settings
  const { device: path, deviceAuthorization: url } = paths
  if (issuer === undefined || path === undefined || url === undefined || !grantTypes.has(deviceCode.type)) return
  const codes = makeDeviceCodes(parts.states)
  grants.set(deviceCode.type, deviceGrant(codes))
  Object.assign(moreMetadata, { device_authorization_endpoint: addressOf(issuer, url) })
  await app.register(async (scope) => {
    await addBodyParsers(scope)
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, error, settings.rules))
    await limitRate(scope, parts, 'device')
    refuseGet(scope, url)
    scope.post(url, (request, reply) => authorizeDevice(parts, codes, addressOf(issuer, path), { request, reply }))
  })
  await addPageScope(app, pages, (scope) => addDevicePages(scope, { parts: pages, codes, path }))
}
