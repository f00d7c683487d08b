import { InvalidGrant } from '../errors.ts'
import { checkUser } from '../grants/check-user.ts'
import type { Grant, GrantRequest } from '../grants/grant.ts'
import { makeGrantKind } from '../grants/grant-kind.ts'
import { issueOrRestore } from '../grants/issue-or-restore.ts'
import { readResources } from '../grants/read-resources.ts'
import { required } from '../http/parameters.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import { stillGranted } from '../tokens/scopes.ts'
import type { DeviceCodes, DeviceRow } from './device-codes.ts'
import { AuthorizationPending, DeviceCodeExpired, DeviceDenied, SlowDown } from './device-errors.ts'

const type = 'urn:ietf:params:oauth:grant-type:device_code'

/** The facts of the grant of devices. */
export const deviceCode = makeGrantKind({ type, title: type, isLoopbackDefault: false, isInteractive: true })

// Requests do not arrive as regularly as they are sent.
const tolerance = 500

const familyOf = ({ id }: DeviceRow): string => `device:${id}`

/**
 * @throws {SlowDown} it polled too soon, and has to wait five seconds longer each time; else {@link
 * AuthorizationPending}
 */
async function wait(codes: DeviceCodes, row: DeviceRow): Promise<never> {
  const now = Date.now()
  const { interval, polledAt } = row.facts
  const isSoon = now - polledAt < interval * 1000 - tolerance
  await codes.change(row, 'new', 'new', { polledAt: now, interval: isSoon ? interval + 5 : interval })
  if (isSoon) throw new SlowDown('the device polls too often')
  throw new AuthorizationPending('the user has not answered yet')
}

/** A code that is used twice was stolen: its tokens are revoked. */
async function endStolen({ parts }: GrantRequest, codes: DeviceCodes, row: DeviceRow): Promise<never> {
  await codes.change(row, 'used', 'stolen')
  await parts.tokens.revokeFamily(familyOf(row))
  throw new InvalidGrant('the device code was already used')
}

/** Makes the tokens of a device. */
async function makeTokens({ parts, client, parameters }: GrantRequest, row: DeviceRow): Promise<Issued> {
  const { userId, authTime, scopes, resources } = row.facts
  return issueTokens(parts, {
    client,
    userId,
    scopes: stillGranted(parts.settings, client, scopes),
    resources: readResources(parts, parameters, resources.length === 0 ? undefined : resources),
    granted: { scopes, resources },
    grant: deviceCode,
    family: familyOf(row),
    authTime: authTime === undefined ? undefined : new Date(authTime)
  })
}

async function exchange(request: GrantRequest, codes: DeviceCodes, row: DeviceRow): Promise<Issued> {
  const { parts } = request
  const { userId } = row.facts
  if (userId === undefined) throw new InvalidGrant('the request was not approved')
  await checkUser(parts, userId)
  if (!(await codes.change(row, 'allowed', 'used'))) return endStolen(request, codes, row)
  const giveBack = (): Promise<boolean> => codes.change(row, 'used', 'allowed')
  const issued = await issueOrRestore(() => makeTokens(request, row), { giveBack })
  // A concurrent use or revocation of the code may have looked for its tokens before they were stored.
  if (!(await codes.stands(row))) await parts.tokens.remove(issued.accessToken)
  return issued
}

/** Makes the grant that a device polls until the user has answered. @see RFC 8628 section 3.4 */
export function deviceGrant(codes: DeviceCodes): Grant {
  const issue = async (request: GrantRequest): Promise<Issued> => {
    const row = await codes.findByDeviceCode(required(request.parameters, 'device_code'))
    if (row === undefined || row.facts.clientId !== request.client.id)
      throw new InvalidGrant('the device code is invalid')
    if (row.state === 'used' || row.state === 'stolen') return endStolen(request, codes, row)
    if (row.state === 'denied') throw new DeviceDenied('the user denied the request')
    if (row.facts.endsAt <= Date.now()) throw new DeviceCodeExpired('the device code has expired')
    return row.state === 'allowed' ? exchange(request, codes, row) : wait(codes, row)
  }
  return { ...deviceCode, allowsPublic: true, issue }
}
