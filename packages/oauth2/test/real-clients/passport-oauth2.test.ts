import OAuth2Strategy from 'passport-oauth2'
import t, { type Test } from 'tap'
import { decide, locationOf, logIn } from '../flow.ts'
import { addClient, callback, makeApp } from '../make-app.ts'

type Result = { readonly redirect?: string; readonly user?: unknown; readonly fail?: unknown; readonly error?: unknown }

/** Runs a strategy as passport does: on an object with the ways out. */
function run(strategy: OAuth2Strategy, query: object, session: object): Promise<Result> {
  return new Promise((resolve) => {
    const ways = {
      redirect: (redirect: string) => resolve({ redirect }),
      success: (user: unknown) => resolve({ user }),
      fail: (fail: unknown) => resolve({ fail }),
      error: (error: unknown) => resolve({ error })
    }
    const action: OAuth2Strategy = Object.assign(Object.create(strategy), ways) as OAuth2Strategy // a copy with more
    action.authenticate({ query, session, headers: {} } as never, {}) // what the strategy reads of a request
  })
}

async function serve(t: Test) {
  const app = await makeApp(t)
  const { id, secret } = await addClient(app, { id: 'passport-client' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const options = {
    authorizationURL: `${origin}/oauth/authorize`,
    tokenURL: `${origin}/oauth/token`,
    clientID: id,
    clientSecret: secret,
    callbackURL: callback,
    scope: 'read',
    state: true,
    pkce: true
  }
  const strategy = new OAuth2Strategy(
    options,
    (accessToken: string, refreshToken: string, _profile: unknown, done: (error: unknown, user: unknown) => void) =>
      done(null, { accessToken, refreshToken })
  )
  strategy.userProfile = (_token, done) => done(null, {})
  return { app, strategy }
}

t.test('passport-oauth2 signs somebody in with a code and PKCE', async (t) => {
  const { app, strategy } = await serve(t)
  const session = {}
  const address = new URL(String((await run(strategy, {}, session)).redirect))
  const browser = await logIn(app)
  const back = locationOf(await decide(browser, await browser.get(address.pathname + address.search)))
  const result = await run(strategy, Object.fromEntries(back.searchParams), session)
  t.match(result.user, { accessToken: /./, refreshToken: /./ })
})

t.test('passport-oauth2 hears of a wrong state, a wrong code, and a user who says no', async (t) => {
  const { app, strategy } = await serve(t)
  const session = {}
  const address = new URL(String((await run(strategy, {}, session)).redirect))
  const browser = await logIn(app)
  const page = await browser.get(address.pathname + address.search)
  const denied = locationOf(await decide(browser, page, { cancel: '1' }))
  t.match(await run(strategy, Object.fromEntries(denied.searchParams), session), { fail: { message: /denied/ } })
  t.match(await run(strategy, { code: 'c', state: 'other' }, session), { fail: { message: /state/ } })
  const next = {}
  const state = new URL(String((await run(strategy, {}, next)).redirect)).searchParams.get('state')
  t.match(await run(strategy, { code: 'guessed', state }, next), { error: { code: 'invalid_grant' } })
})
