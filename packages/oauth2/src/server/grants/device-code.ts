import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  AuthorizationPending,
  DeviceCodeExpired,
  DeviceDenied,
  GrantNotAllowed,
  InvalidGrant,
  SlowDown
} from '../../errors.ts'
import { bodyParameters, checkTexts, required } from '../../http/parameters.ts'
import { noStore } from '../../http/send-error.ts'
import { deviceGrantType, makeGrantKind, mayUseGrant } from '../../options/grant-kind.ts'
import { addressOf } from '../../options/settings.ts'
import { authenticateClient } from '../clients/authenticate-client.ts'
import { deviceInterval, deviceLifetime, type DeviceRow } from '../store/device-codes.ts'
import type { Issued } from '../tokens/issue-token.ts'
import { readResources, readScopes, stillGranted } from '../tokens/scopes.ts'
import { checkUser, type Grant, type GrantRequest, type GrantServices, issueOrRestore } from './grant.ts'

const kind = makeGrantKind({
  type: deviceGrantType,
  title: deviceGrantType,
  isLoopbackDefault: false,
  isInteractive: true,
  canBeGiven: ({ issuer, session, devicePath, deviceAuthorizationPath }) =>
    issuer !== undefined && session !== false && devicePath !== false && deviceAuthorizationPath !== false
})

// Requests do not arrive as regularly as they are sent.
const tolerance = 500

const familyOf = ({ id }: DeviceRow): string => `device:${id}`

/**
 * @throws {SlowDown} it polled too soon, and has to wait five seconds longer each time; else {@link
 * AuthorizationPending}
 */
async function wait({ services: { deviceCodes: codes } }: GrantRequest, row: DeviceRow): Promise<never> {
  const now = Date.now()
  const { interval, polledAt } = row.facts
  const isSoon = now - polledAt < interval * 1000 - tolerance
  await codes.change(row, 'new', 'new', { polledAt: now, interval: isSoon ? interval + 5 : interval })
  if (isSoon) throw new SlowDown('the device polls too often')
  throw new AuthorizationPending('the user has not answered yet')
}

/** A code that is used twice was stolen: its tokens are revoked. */
async function endStolen({ services }: GrantRequest, row: DeviceRow): Promise<never> {
  await services.deviceCodes.change(row, 'used', 'stolen')
  await services.tokens.revokeFamily(familyOf(row))
  throw new InvalidGrant('the device code was already used')
}

/** Makes the tokens of a device. */
async function makeTokens({ services, client, parameters }: GrantRequest, row: DeviceRow): Promise<Issued> {
  const { userId, authTime, scopes, resources } = row.facts
  return services.issueTokens({
    client,
    userId,
    scopes: stillGranted(services.settings, client, scopes),
    resources: readResources(services.settings, parameters, resources.length === 0 ? undefined : resources),
    granted: { scopes, resources },
    grant: kind,
    family: familyOf(row),
    authTime: authTime === undefined ? undefined : new Date(authTime)
  })
}

async function exchange(request: GrantRequest, row: DeviceRow): Promise<Issued> {
  const { services } = request
  const { deviceCodes: codes } = services
  const { userId } = row.facts
  if (userId === undefined) throw new InvalidGrant('the request was not approved')
  await checkUser(services, userId)
  if (!(await codes.change(row, 'allowed', 'used'))) return endStolen(request, row)
  const giveBack = (): Promise<boolean> => codes.change(row, 'used', 'allowed')
  const issued = await issueOrRestore(() => makeTokens(request, row), { giveBack })
  // A concurrent use or revocation of the code may have looked for its tokens before they were stored.
  if (!(await codes.stands(row))) await services.tokens.remove(issued.accessToken)
  return issued
}

async function issue(request: GrantRequest): Promise<Issued> {
  const { services, client, parameters } = request
  const row = await services.deviceCodes.findByDeviceCode(required(parameters, 'device_code'))
  if (row === undefined || row.facts.clientId !== client.id) throw new InvalidGrant('the device code is invalid')
  if (row.state === 'used' || row.state === 'stolen') return endStolen(request, row)
  if (row.state === 'denied') throw new DeviceDenied('the user denied the request')
  if (row.facts.endsAt <= Date.now()) throw new DeviceCodeExpired('the device code has expired')
  return row.state === 'allowed' ? exchange(request, row) : wait(request, row)
}

/**
 * The grant that a device polls until the user has decided.
 * @see RFC 8628 section 3.4
 */
export const deviceCode: Grant = { ...kind, allowsPublic: true, issue }

/**
 * Answers a device that wants to be connected: with a code for itself, one for its user, and the page where the user enters
 * it.
 * @see RFC 8628 sections 3.1 and 3.2
 */
export async function authorizeDevice(
  services: GrantServices,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { settings, deviceCodes } = services
  const parameters = checkTexts(bodyParameters(request))
  const { client } = await authenticateClient(services, request, parameters)
  if (!mayUseGrant(settings, client, kind.type)) throw new GrantNotAllowed('the client may not use this grant')
  const scopes = readScopes(settings, client, kind, parameters.one('scope'))
  const resources = readResources(settings, parameters, undefined)
  const codes = await deviceCodes.start({ clientId: client.id, scopes, resources })
  const page = addressOf(settings.issuer ?? '', settings.paths.device ?? '')
  return reply.headers(noStore).send({
    device_code: codes.deviceCode,
    user_code: codes.userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${codes.userCode}`,
    expires_in: deviceLifetime,
    interval: deviceInterval
  })
}
