import type { OAuth2Options } from './options.ts'
import { grantKinds, grantNames, type GrantName } from './grants/grant-kinds.ts'

/** A path, or nothing where it is switched off. */
export type Path = string | undefined

/** The options with their defaults filled in. */
export interface Settings {
  readonly options: OAuth2Options
  /** Answers of loopback-component-oauth2. */
  readonly compat: boolean
  readonly issuer: string | undefined
  readonly grants: ReadonlySet<GrantName>
  readonly pkceRequired: boolean
  readonly paths: {
    readonly authorize: Path
    readonly decision: Path
    readonly token: Path
    readonly revoke: Path
    readonly introspect: Path
    readonly login: Path
    readonly logout: Path
    readonly jwks: Path
    readonly userinfo: Path
    readonly device: Path
    readonly deviceAuthorization: Path
  }
}

const defaultGrants = (compat: boolean): readonly GrantName[] =>
  grantNames.filter((name) => grantKinds[name][compat ? 'isLoopbackDefault' : 'isDefault'])

const pathOf = (given: string | false | undefined, fallback: string): Path =>
  given === false ? undefined : (given ?? fallback)

/** Fills in the defaults of the options. */
export function resolveSettings(options: OAuth2Options): Settings {
  const compat = options.compat === 'loopback'
  return {
    options,
    compat,
    issuer: options.issuer,
    grants: new Set(options.supportedGrantTypes ?? defaultGrants(compat)),
    pkceRequired: (options.pkce ?? (compat ? 'optional' : 'required')) === 'required',
    paths: {
      authorize: pathOf(options.authorizePath, '/oauth/authorize'),
      decision: pathOf(options.decisionPath, '/oauth/authorize/decision'),
      token: pathOf(options.tokenPath, '/oauth/token'),
      revoke: pathOf(options.revokePath, '/oauth/revoke'),
      introspect: pathOf(options.introspectPath, '/oauth/introspect'),
      login: pathOf(options.loginPath, '/login'),
      logout: pathOf(options.logoutPath, '/logout'),
      jwks: pathOf(options.jwksPath, '/oauth/jwks'),
      userinfo: pathOf(options.userinfoPath, '/oauth/userinfo'),
      device: pathOf(options.devicePath, '/device'),
      deviceAuthorization: pathOf(options.deviceAuthorizationPath, '/oauth/device_authorization')
    }
  }
}
