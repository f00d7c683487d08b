import { readFileSync } from 'node:fs'
import { type Callback, type LoginRequest, readMember } from '../application.ts'
import type { ProviderOptions } from '../provider-options.ts'
import type { Scheme } from './scheme-table.ts'

/** `oAuth 2.0`, and any scheme without its own entry. */
export const oAuth2: Scheme = {
  options: ({ clientID, clientSecret, callbackURL }) => ({
    clientID,
    clientSecret,
    callbackURL,
    passReqToCallback: true
  }),
  verify:
    ({ finish }) =>
    (request: LoginRequest, accessToken: unknown, refreshToken: unknown, profile: unknown, done: Callback) =>
      finish(request, profile, { accessToken, refreshToken }, done)
}

/** `oAuth 1.0`. */
export const oAuth1: Scheme = {
  options: ({ consumerKey, consumerSecret, callbackURL }) => ({
    consumerKey,
    consumerSecret,
    callbackURL,
    passReqToCallback: true
  }),
  verify:
    ({ finish }) =>
    (request: LoginRequest, token: unknown, tokenSecret: unknown, profile: unknown, done: Callback) =>
      finish(request, profile, { token, tokenSecret }, done)
}

const withId = (profile: unknown, ...ids: readonly unknown[]): object => {
  const fields = Object(profile) as { readonly id?: unknown } // a profile is an object
  return { ...fields, id: [fields.id, ...ids].find(Boolean) }
}

/** `OpenID`: users are known by their identifier if the profile has no id. */
export const openId: Scheme = {
  options: ({ returnURL, realm, callbackURL }) => ({ returnURL, realm, callbackURL, passReqToCallback: true }),
  verify:
    ({ finish }) =>
    (request: LoginRequest, identifier: unknown, profile: unknown, done: Callback) =>
      finish(request, withId(profile, readMember(profile, 'openid'), identifier), { identifier }, done)
}

/** `OpenID Connect`: some providers call the id `oid`. */
export const openIdConnect: Scheme = {
  options: oAuth2.options,
  verify:
    ({ finish }) =>
    (
      request: LoginRequest,
      _issuer: unknown,
      _subject: unknown,
      profile: unknown,
      _claims: unknown,
      accessToken: unknown,
      refreshToken: unknown,
      _params: unknown,
      done: Callback
    ) =>
      finish(request, withId(profile, readMember(profile, 'oid')), { accessToken, refreshToken }, done)
}

const objectIdentifier = 'http://schemas.microsoft.com/identity/claims/objectidentifier'

const textOf = (path: string | undefined, otherwise: unknown): unknown =>
  path === undefined ? otherwise : readFileSync(path, 'utf8')

/** `saml`. Keys and certificates may be in files. */
export const saml: Scheme = {
  options: (options: ProviderOptions) => ({
    callbackUrl: options.callbackURL,
    cert: textOf(options.certPath, options['cert']),
    privateCert: textOf(options.privateCertPath, options['privateCert']),
    decryptionPvk: textOf(options.decryptionPvkPath, options['decryptionPvk']),
    passReqToCallback: true
  }),
  verify:
    ({ finish }) =>
    (request: LoginRequest, profile: unknown, done: Callback) => {
      const ids = ['nameID', objectIdentifier].map((name) => readMember(profile, name))
      finish(request, withId(profile, ...ids), {}, done)
    }
}
