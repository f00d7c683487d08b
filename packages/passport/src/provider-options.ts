import { InvalidOption, isPlainObject, problemOf } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ScriptFunction } from './application.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const fn = (description: string) =>
  Type.Optional(Type.Unsafe<ScriptFunction>({ ...Type.Function([], Type.Unknown()), description }))

/** How the account of a profile is found and made. */
const accounts = {
  emailOptional: flag('allow profiles without an email address'),
  profileMapping: Type.Optional(
    Type.Array(Type.Object({ userField: Type.String(), providerField: Type.String() }), {
      description:
        'properties of a new account, each with the path of its value in the profile, such as `emails[0].value`'
    })
  ),
  profileToUser: fn('function (provider, profile, options) that returns the properties of a new account'),
  autoLogin: flag('false: a login creates no access token'),
  createAccessToken: fn('function (user, callback) that creates the access token of a login'),
  linkExisting: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: never link a login to an existing account with the same user name or email address'
    })
  )
}

const answers = {
  authPath: text('path that starts a login; `/auth/NAME`, or `/link/NAME` of a link'),
  callbackPath: text(
    'path to which the provider redirects users; `/auth/NAME/callback`, or `/link/NAME/callback` of a link'
  ),
  callbackHTTPMethod: text('`post` if the provider returns users with a form; `get` otherwise'),
  callbackURL: text('URL of `callbackPath`, as registered with the provider'),
  successRedirect: text('redirect after a login; `/auth/account`, or `/link/account` of a link'),
  failureRedirect: text('redirect after a failed login; `/login.html`, or `/link.html` of a link'),
  successReturnToOrRedirect: text('`local`: redirect after a login, unless the session has `returnTo`'),
  failureQueryString: flag('add the reason of a failure to `failureRedirect` as `error`'),
  failureFlash: Type.Optional(Type.Unknown({ description: 'message set with `req.flash` after a failure' })),
  successFlash: Type.Optional(Type.Unknown({ description: '`local`: message set with `req.flash` after a login' })),
  json: flag('return JSON with `access_token` and `userId` after a login, instead of redirecting'),
  session: flag('start a session on login'),
  domain: text('domain of the cookies that hold a token'),
  customCallback: fn('handler of `callbackPath`, instead of the usual one'),
  loginCallback: fn('function (req, done) that returns the callback of `UserIdentity.login`'),
  authOptions: Type.Optional(Type.Object({}, { description: 'further options of `passport.authenticate`' })),
  fn: Type.Optional(
    Type.Unknown({ description: '`local`: options or callback of `passport.authenticate`, instead of all others' })
  )
}

/** Options of `configureProvider`. Additional ones are those of the strategy, which receives all of them. */
export const ProviderOptionsSchema = Type.Object({
  module: Type.String({ minLength: 1, description: 'package of the strategy, or the full path of a file' }),
  strategy: text("name of the strategy in the package's exports; `Strategy` by default"),
  provider: text('name of the provider in the records; that of the configuration by default'),
  authScheme: text(
    '`oAuth 2.0`, `oAuth 1.0`, `OpenID`, `OpenID Connect`, `local`, `ldap` or `saml`; inferred from the other options by default'
  ),
  link: flag('link an account of the provider to the logged-in user, instead of logging in'),
  clientID: text('`oAuth 2.0`: client id'),
  clientSecret: text('`oAuth 2.0`: client secret'),
  consumerKey: text('`oAuth 1.0`: consumer key'),
  consumerSecret: text('`oAuth 1.0`: consumer secret'),
  realm: text('`OpenID`: the realm that users are asked to trust'),
  scope: Type.Optional(Type.Unknown({ description: 'scopes to request from the provider: a string or a list' })),
  state: Type.Optional(
    Type.Unknown({ description: '`oAuth 2.0`: true: a login must end in the session that started it' })
  ),
  usernameField: text('`local`, `ldap`: name of the user name field, or of the email address as `email`'),
  passwordField: text('`local`, `ldap`: name of the password field'),
  setAccessToken: flag('`local`: create an access token on login'),
  profileAttributesFromLDAP: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: '`ldap`: parts of a profile, each with its attribute' })
  ),
  certPath: text('`saml`: file with the certificate of the provider, instead of `cert`'),
  privateCertPath: text('`saml`: file with `privateCert`'),
  decryptionPvkPath: text('`saml`: file with `decryptionPvk`'),
  ...answers,
  ...accounts
})

/** Options of `configureProvider`. */
export type ProviderOptions = Static<typeof ProviderOptionsSchema> & { readonly [option: string]: unknown }

const flags = Object.entries(ProviderOptionsSchema.properties).flatMap(([name, { type }]) =>
  type === 'boolean' ? [name] : []
)

/** Whether a value is true or false counts for LoopBack, not whether it is a boolean; null is as good as nothing. */
function readOption([name, value]: readonly [string, unknown]): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return []
  return [[name, flags.includes(name) ? Boolean(value) : value]]
}

/**
 * Checks the options of a provider.
 * @throws {InvalidOption} one of them has the wrong type, or `module` is missing
 */
export function readProviderOptions(name: string, value: unknown): ProviderOptions {
  const options = Object.fromEntries(Object.entries(isPlainObject(value) ? value : {}).flatMap(readOption))
  if (Value.Check(ProviderOptionsSchema, options)) return options
  const { key = '', expected = 'malformed' } = problemOf(ProviderOptionsSchema, options) ?? {}
  throw new InvalidOption(`the option "${key}" of the provider ${name} is invalid: ${expected}`, { key })
}

/** The options without validation, for calls of `UserIdentity.login` by scripts. */
export type LoginOptions = Partial<ProviderOptions>
