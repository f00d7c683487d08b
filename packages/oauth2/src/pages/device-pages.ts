import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limitPage } from '../http/limits.ts'
import { bodyParameters, firstOf, queryParameters } from '../http/parameters.ts'
import { type DeviceRow, readUserCode } from '../server/store/device-codes.ts'
import { describeScopes } from './consent-page.ts'
import { shownClient, userName } from './consent.ts'
import { askLogin } from './login.ts'
import type { PageServices } from './show-page.ts'
import type { SignedIn } from './sign-ins.ts'

/** A request of a signed-in user. */
interface Visit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly signedIn: SignedIn
}

/** Attempts of one address in the time window: codes are short. @see RFC 8628 section 5.1 */
const attempts = 10

const unknown = 'No device is waiting for this code. Check the code on your device.'

function askCode(
  services: PageServices,
  { request, reply }: Visit,
  code: string | undefined,
  problem?: string
): FastifyReply {
  const facts = {
    action: services.settings.paths.device ?? '',
    csrfToken: services.csrf.token(request, reply),
    userCode: code,
    problem
  }
  return services.show(problem === undefined ? reply : reply.code(400), 'device', facts)
}

async function findRow(
  { deviceCodes, guesses }: PageServices,
  { request, signedIn }: Visit,
  code: string | undefined
): Promise<DeviceRow | undefined> {
  const userCode = readUserCode(code)
  if (userCode === undefined) return undefined
  return guesses.userCode(request, String(signedIn.userId), () => deviceCodes.findByUserCode(userCode))
}

/**
 * Shows the client and the requested scopes, with the code to compare: a link may have brought the user here. @see RFC
 * 8628 section 5.4
 */
async function askConsent(services: PageServices, visit: Visit, code: string | undefined): Promise<FastifyReply> {
  const { device: path = '', logout } = services.settings.paths
  const { request, reply, signedIn } = visit
  const row = await findRow(services, visit, code)
  const client = row === undefined ? undefined : await services.clients.find(row.facts.clientId)
  if (row === undefined || client === undefined) return askCode(services, visit, code, unknown)
  return services.show(reply, 'consent', {
    action: `${path}/decision`,
    csrfToken: services.csrf.token(request, reply),
    fields: { user_code: row.facts.userCode },
    client: shownClient(client),
    userName: userName(signedIn.user),
    scopes: await describeScopes(services, row.facts.scopes),
    userCode: row.facts.userCode,
    switchAction: logout,
    returnTo: `${path}?user_code=${row.facts.userCode}`
  })
}

const connected = { title: 'Your device is connected', text: 'You can close this page and continue on your device.' }
const refused = { title: 'The device was not connected', text: 'The device does not get access to your account.' }

async function decide(services: PageServices, visit: Visit): Promise<FastifyReply> {
  const { deviceCodes: codes } = services
  const { request, reply, signedIn } = visit
  const form = bodyParameters(request)
  const code = form.one('user_code')
  const isDenied = form.one('cancel') !== undefined
  const row = await findRow(services, visit, code)
  const { userId, authTime } = signedIn
  if (row === undefined) return askCode(services, visit, code, unknown)
  const answer = isDenied ? {} : { userId, authTime: authTime.getTime(), marks: await codes.marks(row, userId) }
  if (!(await codes.change(row, 'new', isDenied ? 'denied' : 'allowed', answer)))
    return askCode(services, visit, code, unknown)
  return services.show(reply, 'done', isDenied ? refused : connected)
}

const codeOf = (request: FastifyRequest): string | undefined =>
  firstOf(bodyParameters(request), queryParameters(request)).one('user_code')

/** Adds the pages for connecting a device. */
export function addDevicePages(scope: FastifyInstance, services: PageServices, path: string): void {
  const visit =
    (answer: (visit: Visit) => FastifyReply | Promise<FastifyReply>, returnTo: (request: FastifyRequest) => string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const signedIn = await services.signIns.find(request)
      if (signedIn === undefined) return askLogin(services, request, reply, returnTo(request))
      if (request.method === 'POST') services.csrf.check(request)
      return answer({ request, reply, signedIn })
    }
  const config = limitPage(services.settings.options.rateLimit, attempts)
  scope.get(
    path,
    visit(
      (here) => askCode(services, here, codeOf(here.request)),
      ({ url }) => url
    )
  )
  scope.post(
    path,
    { config },
    visit(
      (here) => askConsent(services, here, codeOf(here.request)),
      () => path
    )
  )
  scope.post(
    `${path}/decision`,
    { config },
    visit(
      (here) => decide(services, here),
      () => path
    )
  )
}
