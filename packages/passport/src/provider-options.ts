import { InvalidOption, isPlainObject } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ScriptFunction } from './application.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const fn = (description: string) =>
  Type.Optional(Type.Unsafe<ScriptFunction>({ ...Type.Function([], Type.Unknown()), description }))

/** How the account of a profile is found and made. */
const accounts = {
  emailOptional: flag('profiles without an email address sign in as well'),
  profileMapping: Type.Optional(
    Type.Array(Type.Object({ userField: Type.String(), providerField: Type.String() }), {
      description:
        'properties of a new account, each with the path of its value in the profile, such as `emails[0].value`'
    })
  ),
  profileToUser: fn('function (provider, profile, options) that gives the properties of a new account'),
  autoLogin: flag('false: a login makes no access token'),
  createAccessToken: fn('function (user, callback) that makes the access token of a login'),
  linkExisting: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'false: a login never becomes that of an account which exists already under its user name or address'
    })
  )
}

const answers = {
  authPath: text('path that begins a login; `/auth/NAME`, or `/link/NAME` of a link'),
  callbackPath: text(
    'path that the provider sends users back to; `/auth/NAME/callback`, or `/link/NAME/callback` of a link'
  ),
  callbackHTTPMethod: text('`post` where the provider sends users back by a form; `get` otherwise'),
  callbackURL: text('address of `callbackPath`, as the provider knows it'),
  successRedirect: text('where a login leads to; `/auth/account`, or `/link/account` of a link'),
  failureRedirect: text('where a failed login leads to; `/login.html`, or `/link.html` of a link'),
  successReturnToOrRedirect: text('`local`: the same, unless the session holds `returnTo`'),
  failureQueryString: flag('the reason of a failure is added to `failureRedirect` as `error`'),
  failureFlash: Type.Optional(Type.Unknown({ description: 'what a failure leaves by `req.flash`' })),
  successFlash: Type.Optional(Type.Unknown({ description: '`local`: what a login leaves by `req.flash`' })),
  json: flag('a login is answered by JSON, with `access_token` and `userId`, in place of a redirect'),
  session: flag('a login begins a session'),
  domain: text('domain of the cookies that hold a token'),
  customCallback: fn('handler of `callbackPath` in place of the usual one'),
  loginCallback: fn('function (req, done) that gives the callback of `UserIdentity.login`'),
  authOptions: Type.Optional(Type.Object({}, { description: 'further options of `passport.authenticate`' })),
  fn: Type.Optional(
    Type.Unknown({ description: '`local`: options or callback of `passport.authenticate`, in place of all others' })
  )
}

/** Options of `configureProvider`. Others are those of the strategy, which receives all of them. */
export const ProviderOptionsSchema = Type.Object({
  module: Type.String({ minLength: 1, description: 'package of the strategy, or the whole path of a file' }),
  strategy: text('name of the strategy among what the package exports; `Strategy` when absent'),
  provider: text('name of the provider in the records; that of the configuration when absent'),
  authScheme: text(
    '`oAuth 2.0`, `oAuth 1.0`, `OpenID`, `OpenID Connect`, `local`, `ldap` or `saml`; guessed by the other options when absent'
  ),
  link: flag('links an account of the provider to the user who is logged in, in place of a login'),
  clientID: text('`oAuth 2.0`: id of the application at the provider'),
  clientSecret: text('`oAuth 2.0`: its secret'),
  consumerKey: text('`oAuth 1.0`: id of the application at the provider'),
  consumerSecret: text('`oAuth 1.0`: its secret'),
  realm: text('`OpenID`: what users are asked to trust'),
  scope: Type.Optional(Type.Unknown({ description: 'what the provider is asked for: a text or a list' })),
  state: Type.Optional(Type.Unknown({ description: '`oAuth 2.0`: true: a login ends in the session that began it' })),
  usernameField: text('`local`, `ldap`: name of the field with the user name, or with the address as `email`'),
  passwordField: text('`local`, `ldap`: name of the field with the password'),
  setAccessToken: flag('`local`: a login makes an access token'),
  profileAttributesFromLDAP: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: '`ldap`: parts of a profile, each with its attribute' })
  ),
  certPath: text('`saml`: file with the certificate of the provider, in place of `cert`'),
  privateCertPath: text('`saml`: file of `privateCert`'),
  decryptionPvkPath: text('`saml`: file of `decryptionPvk`'),
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
  const key = Value.Errors(ProviderOptionsSchema, options).First()?.path.slice(1) ?? ''
  throw new InvalidOption(`the option "${key}" of the provider ${name} is missing or has the wrong type`, { key })
}

/** The options without the check, for calls of `UserIdentity.login` by scripts. */
export type LoginOptions = Partial<ProviderOptions>
