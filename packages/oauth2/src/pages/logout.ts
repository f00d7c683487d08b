import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyParameters } from '../http/parameters.ts'
import { setBrowserHeaders } from './page-headers.ts'
import type { PageParts } from './page-parts.ts'
import { safeReturn } from './safe-return.ts'

const signedOut = { title: 'You are signed out', text: 'This browser has no access to your account any more.' }

/** Ends the session of a browser. The next page asks who is there, so that somebody else can sign in. */
async function logout(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { csrf, signIns, show } = parts
  csrf.check(request)
  const returnTo = safeReturn(bodyParameters(request).one('return_to'))
  await signIns.signOut(request, reply)
  return returnTo === undefined ? show(reply, 'done', signedOut) : setBrowserHeaders(reply).redirect(returnTo, 302)
}

async function ask(parts: PageParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { csrf, signIns, show, settings } = parts
  if ((await signIns.find(request)) === undefined) return show(reply, 'done', signedOut)
  return show(reply, 'logout', { action: settings.paths.logout ?? '', csrfToken: csrf.token(request, reply) })
}

/** Adds the page for signing out. A link to it asks; nobody is signed out by an image. */
export function addLogout(scope: FastifyInstance, parts: PageParts): void {
  const { logout: path } = parts.settings.paths
  if (path === undefined) return
  scope.get(path, (request, reply) => ask(parts, request, reply))
  scope.post(path, (request, reply) => logout(parts, request, reply))
}
