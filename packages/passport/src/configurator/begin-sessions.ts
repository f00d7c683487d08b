import type { Callback, LoginHandler, PassportApp, PassportHost, PassportModule, ScriptRecord } from '../application.ts'
import { loadPassport } from './load-strategy.ts'
import { modelOf, type PassportModels } from './passport-models.ts'
import { renewSessions, renewsByItself } from './renew-session.ts'
import { readMember } from '../read-member.ts'

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
 * Puts Passport behind the sessions of an application, and lets sessions hold users.
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
