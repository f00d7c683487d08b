import { AuthorizationPending, DeviceCodeExpired, DeviceDenied, InvalidGrant, SlowDown } from '../errors.ts'
import type { Grant, GrantRequest } from '../grants/grant.ts'
import { mayRefresh } from '../grants/may-refresh.ts'
import { required } from '../http/parameters.ts'
import { issueTokens, type Issued } from '../tokens/issue-token.ts'
import type { DeviceCodes, DeviceRow } from './device-codes.ts'

/** The `grant_type` of devices. */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

// Requests do not arrive as regularly as they are sent.
const tolerance = 500

const familyOf = ({ id }: DeviceRow): string => `device:${id}`

/** @throws {SlowDown} it asked too soon, and has to wait five seconds longer each time; else {@link AuthorizationPending} */
async function wait(codes: DeviceCodes, row: DeviceRow): Promise<never> {
  const now = Date.now()
  const { interval, polledAt } = row.facts
  const isSoon = now - polledAt < interval * 1000 - tolerance
  await codes.change(row, 'new', 'new', { polledAt: now, interval: isSoon ? interval + 5 : interval })
  if (isSoon) throw new SlowDown('the device asks too often')
  throw new AuthorizationPending('nobody has answered yet')
}

/** A code that was used already is in other hands: what came from it ends. */
async function endStolen({ parts }: GrantRequest, row: DeviceRow): Promise<never> {
  await parts.tokens.revokeFamily(familyOf(row))
  throw new InvalidGrant('the device code was used before')
}

async function exchange(request: GrantRequest, codes: DeviceCodes, row: DeviceRow): Promise<Issued> {
  const { parts, client } = request
  const { userId, authTime, scopes, resources } = row.facts
  if (userId === undefined || (await parts.users.find(userId)) === undefined) throw new InvalidGrant('the user is gone')
  if (!(await codes.change(row, 'allowed', 'used'))) return endStolen(request, row)
  return issueTokens(parts, {
    client,
    userId,
    scopes,
    resources,
    grantType: deviceGrantType,
    withRefresh: mayRefresh(parts, client, deviceGrantType),
    family: familyOf(row),
    authTime: authTime === undefined ? undefined : new Date(authTime)
  })
}

/** Makes the grant that a device asks for until somebody has answered. @see RFC 8628 section 3.4 */
export function deviceGrant(codes: DeviceCodes): Grant {
  const issue = async (request: GrantRequest): Promise<Issued> => {
    const row = await codes.findByDeviceCode(required(request.parameters, 'device_code'))
    if (row === undefined || row.facts.clientId !== request.client.id)
      throw new InvalidGrant('the device code is wrong')
    if (row.state === 'used') return endStolen(request, row)
    if (row.state === 'denied') throw new DeviceDenied('the user said no')
    if (row.facts.endsAt <= Date.now()) throw new DeviceCodeExpired('the device code has expired')
    return row.state === 'allowed' ? exchange(request, codes, row) : wait(codes, row)
  }
  return { name: 'deviceCode', allowsPublic: true, issue }
}
