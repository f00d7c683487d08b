import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyParameters, firstOf, queryParameters } from '../http/parameters.ts'
import { askLogin } from '../pages/login.ts'
import { shownClient, userName } from '../pages/consent.ts'
import { describeScopes } from '../pages/describe-scopes.ts'
import { limitPage } from '../pages/limit-page.ts'
import type { PageParts } from '../pages/page-parts.ts'
import type { SignedIn } from '../signed-in.ts'
import type { DeviceCodes, DeviceRow } from './device-codes.ts'
import { readUserCode } from './user-code.ts'

/** What the pages for devices work with. */
interface DeviceParts {
  readonly parts: PageParts
  readonly codes: DeviceCodes
  readonly path: string
}

/** A request of a signed-in user. */
interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signedIn: SignedIn
}

/** Attempts of one address in the time window: codes are short. @see RFC 8628 section 5.1 */
const attempts = 10

const unknown = 'No device is waiting with this code. Look at the device again.'

function askCode(
  { parts, path }: DeviceParts,
  { request, reply }: Visit,
  code: string | undefined,
  problem?: string
): FastifyReply {
  const facts = { action: path, csrfToken: parts.csrf.token(request, reply), userCode: code, problem }
  return parts.show(problem === undefined ? reply : reply.code(400), 'device', facts)
}

async function findRow(
  { codes, parts: { guesses } }: DeviceParts,
  { request, signedIn }: Visit,
  code: string | undefined
): Promise<DeviceRow | undefined> {
  const userCode = readUserCode(code)
  if (userCode === undefined) return undefined
  return guesses.userCode(request, String(signedIn.userId), () => codes.findByUserCode(userCode))
}

/**
 * Shows the client and the requested scopes, with the code to compare: a link may have brought the user here. @see RFC
 * 8628 section 5.4
 */
async function askConsent(device: DeviceParts, visit: Visit, code: string | undefined): Promise<FastifyReply> {
  const { parts, path } = device
  const { request, reply, signedIn } = visit
  const row = await findRow(device, visit, code)
  const client = row === undefined ? undefined : await parts.clients.find(row.facts.clientId)
  if (row === undefined || client === undefined) return askCode(device, visit, code, unknown)
  return parts.show(reply, 'consent', {
    action: `${path}/decision`,
    csrfToken: parts.csrf.token(request, reply),
    fields: { user_code: row.facts.userCode },
    client: shownClient(client),
    userName: userName(signedIn.user),
    scopes: await describeScopes(parts, row.facts.scopes),
    userCode: row.facts.userCode,
    switchAction: parts.settings.paths.logout,
    returnTo: `${path}?user_code=${row.facts.userCode}`
  })
}

const connected = { title: 'Your device is connected', text: 'You can close this page and go on with the device.' }
const refused = { title: 'Nothing was connected', text: 'The device gets no access to your account.' }

async function decide(device: DeviceParts, visit: Visit): Promise<FastifyReply> {
  const { parts, codes } = device
  const { request, reply, signedIn } = visit
  const form = bodyParameters(request)
  const code = form.one('user_code')
  const isDenied = form.one('cancel') !== undefined
  const row = await findRow(device, visit, code)
  const { userId, authTime } = signedIn
  if (row === undefined) return askCode(device, visit, code, unknown)
  const answer = isDenied ? {} : { userId, authTime: authTime.getTime(), marks: await codes.marks(row, userId) }
  if (!(await codes.change(row, 'new', isDenied ? 'denied' : 'allowed', answer)))
    return askCode(device, visit, code, unknown)
  return parts.show(reply, 'done', isDenied ? refused : connected)
}

const codeOf = (request: FastifyRequest): string | undefined =>
  firstOf(bodyParameters(request), queryParameters(request)).one('user_code')

/** Adds the pages on which a user connects a device. */
export function addDevicePages(scope: FastifyInstance, device: DeviceParts): void {
  const { parts, path } = device
  const visit =
    (answer: (visit: Visit) => FastifyReply | Promise<FastifyReply>, returnTo: (request: FastifyRequest) => string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const signedIn = await parts.signIns.find(request)
      if (signedIn === undefined) return askLogin(parts, request, reply, returnTo(request))
      if (request.method === 'POST') parts.csrf.check(request)
      return answer({ request, reply, signedIn })
    }
  const config = limitPage(parts.settings.options.rateLimit, attempts)
  scope.get(
    path,
    visit(
      (here) => askCode(device, here, codeOf(here.request)),
      ({ url }) => url
    )
  )
  scope.post(
    path,
    { config },
    visit(
      (here) => askConsent(device, here, codeOf(here.request)),
      () => path
    )
  )
  scope.post(
    `${path}/decision`,
    { config },
    visit(
      (here) => decide(device, here),
      () => path
    )
  )
}
