import type { Callback, LoginRequest } from '../application.ts'
import { buildLdapProfile } from '../configurator/ldap-profile.ts'
import type { Scheme } from './scheme.ts'

/** `ldap`: a directory checks the password. */
export const ldap: Scheme = {
  options: ({ usernameField, passwordField, session }) => ({
    usernameField: usernameField || 'username',
    passwordField: passwordField || 'password',
    session,
    authInfo: true,
    passReqToCallback: true
  }),
  verify:
    ({ finish, options }) =>
    (request: LoginRequest, user: unknown, done: Callback) => {
      if (user) finish(request, buildLdapProfile(user, options), {}, done)
      else done(null)
    }
}
