import {
  type Callback,
  type LoginHandler,
  type PassportApp,
  type PassportHost,
  type PassportModule,
  type ScriptRecord,
  type LoginRequest,
  readMember
} from '../application.ts'
import { loadPassport } from './configure-provider.ts'
import { modelOf, type PassportModels } from '../models/passport-models.ts'

/** A session of express-session, which can be regenerated. */
interface Session {
  readonly cookie?: unknown
  readonly regenerate: (done: Callback) => void
}

const canBegin = (session: unknown): session is Session & Record<string, unknown> =>
  typeof readMember(session, 'regenerate') === 'function'

const afterSessions = 'session:after'

type Find = (filter?: object) => Promise<unknown>

/** Related records of a user; null where the model of users has no such relation. */
async function related(user: ScriptRecord, name: string): Promise<unknown> {
  const helper = user[name] as { readonly find?: Find } | undefined // the helper of a relation
  return (await helper?.find?.()) ?? null
}

/** The user of a session, with their identities and linked accounts as `profiles` and `accounts`. */
async function findUser(models: PassportModels, id: unknown): Promise<ScriptRecord | null> {
  const user: ScriptRecord | null = await modelOf(models, 'userModel').findById(id)
  if (user === null) return null
  const [profiles, accounts] = await Promise.all([related(user, 'identities'), related(user, 'credentials')])
  return Object.assign(user, { profiles, accounts })
}

async function answer(done: Callback, found: Promise<unknown>): Promise<void> {
  try {
    done(null, await found)
  } catch (error) {
    done(error)
  }
}

/** Passport is shared by all applications of a process: each looks after its own requests alone. */
function keepUsers(passport: PassportModule, models: PassportModels): LoginHandler {
  const own = new WeakSet<object>()
  passport.serializeUser((user, done) => done(null, user.id))
  passport.deserializeUser((request, id, done) => {
    if (own.has(request)) void answer(done, findUser(models, id))
    else done('pass')
  })
  return (request, _response, next) => {
    own.add(request)
    next()
  }
}

/**
 * Adds Passport after the sessions of an application, and lets sessions store users.
 * @param noSession no session holds a user
 * @throws {PassportMissing} the package is not installed
 */
export function beginSessions(
  app: PassportApp,
  host: PassportHost,
  models: PassportModels,
  noSession: unknown
): PassportModule {
  const passport = loadPassport(host)
  app.middleware(afterSessions, passport.initialize())
  if (noSession) return passport
  app.middleware(afterSessions, keepUsers(passport, models))
  const version = readMember(host.load('passport/package.json'), 'version')
  app.middleware(afterSessions, renewSessions(renewsByItself(version)))
  app.middleware(afterSessions, passport.session())
  return passport
}

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
function renewSessions(isRenewed: boolean): LoginHandler {
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

/** Whether a version of Passport regenerates the session at a login. */
export function renewsByItself(version: unknown): boolean {
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  return major > 0 || minor >= 6
}
