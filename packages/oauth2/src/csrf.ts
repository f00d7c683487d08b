import { Tokens } from '@fastify/csrf'
import { senderOf } from '@modelwire/core/plugin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CsrfTokenInvalid } from './errors.ts'
import { bodyParameters } from './http/parameters.ts'
import type { SessionCookie } from './session.ts'

/** Tokens that tie a form to the browser that it was shown in. */
export interface CsrfTokens {
  /** A token for a form. Starts a session where the browser has none. */
  token(request: FastifyRequest, reply: FastifyReply): string
  /** @throws {CsrfTokenInvalid} the form was not shown in this browser */
  check(request: FastifyRequest): void
}

/** How strictly forms are looked at. */
export interface CsrfRules {
  /** Origins of pages of the application's own, whose forms need no token when the browser sends their origin. */
  readonly origins: readonly string[]
  /** Accepts a request without an origin: no browser sent it. */
  readonly allowsSilence: boolean
}

/** A new secret for the tokens of one browser. */
export const newCsrfSecret = (): string => new Tokens({ userInfo: false }).secretSync()

/** True for a form from this server or a page of the application. */
function isFromOwnPage(request: FastifyRequest, { origins, allowsSilence }: CsrfRules): boolean {
  const sender = senderOf(request, origins)
  return sender === 'own' || (sender === 'program' && allowsSilence)
}

/**
 * True for a form of another site, which browsers send without the cookie: an answer that sets a new one would end the
 * session of the browser.
 */
export const isOfOtherSite = (request: FastifyRequest): boolean => senderOf(request) === 'foreign'

/** Makes the tokens. @param rules undefined where all pages are the plugin's own: then a token is needed always */
export function makeCsrfTokens(cookie: SessionCookie, rules: CsrfRules | undefined): CsrfTokens {
  const tokens = new Tokens({ userInfo: false })
  const isRight = (request: FastifyRequest): boolean => {
    const { csrf } = cookie.read(request)
    const token = bodyParameters(request).one('csrf_token')
    return csrf !== undefined && token !== undefined && tokens.verify(csrf, token)
  }
  return {
    token: (request, reply) => {
      const session = cookie.read(request)
      const csrf = session.csrf ?? newCsrfSecret()
      if (session.csrf === undefined) cookie.write(request, reply, { ...session, csrf })
      return tokens.create(csrf)
    },
    check: (request) => {
      if (isRight(request) || (rules !== undefined && isFromOwnPage(request, rules))) return
      throw new CsrfTokenInvalid('the form was not shown in this browser, or too long ago')
    }
  }
}
