import type { Callback, LoginHandler, LoginRequest } from '../application.ts'
import { readMember } from '../read-member.ts'

/** A session of express-session, which can be begun anew. */
interface Session {
  readonly cookie?: unknown
  readonly regenerate: (done: Callback) => void
}

const canBegin = (session: unknown): session is Session & Record<string, unknown> =>
  typeof readMember(session, 'regenerate') === 'function'

/** Begins the session anew: an attacker may know its old id. Its contents stay, such as `returnTo`. */
function renew(request: LoginRequest, done: Callback): void {
  const { session } = request
  if (!canBegin(session)) {
    done()
    return
  }
  const { cookie: _cookie, ...held } = session
  session.regenerate((error) => {
    if (!error) Object.assign(Object(request.session), held)
    done(error)
  })
}

/**
 * Lets `req.logIn` begin a new session with the contents of the one before, so that no one can fixate another user's
 * session.
 * @param isRenewed Passport begins sessions anew by itself, as it does since version 0.6
 * @see https://owasp.org/www-community/attacks/Session_fixation
 */
export function renewSessions(isRenewed: boolean): LoginHandler {
  return (request, _response, next) => {
    const { logIn } = request
    const renewed: LoginRequest['logIn'] = (user, settings, last) => {
      const isLast = typeof settings === 'function'
      const options = isLast ? {} : (settings as object | undefined) // what Passport takes
      const done = isLast ? (settings as Callback) : last // the last argument is the callback
      const pass = (): void => logIn.call(request, user, { ...options, keepSessionInfo: true }, done)
      if (isRenewed || readMember(options, 'session') === false) pass()
      else renew(request, (error) => (error ? done?.(error) : pass()))
    }
    request.logIn = renewed
    request.login = renewed
    next()
  }
}

/** Whether a version of Passport begins a session anew at a login. */
export function renewsByItself(version: unknown): boolean {
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  return major > 0 || minor >= 6
}
