import { type OAuth2Rules, rulesWhere } from './compat/loopback-rules.ts'
import type { OAuth2Settings } from './options.ts'
import { grantKinds, grantNames, type GrantName } from './grants/grant-kinds.ts'

/** A path, or nothing where it is switched off. */
export type Path = string | undefined

/** What the options mean together. */
export interface Settings {
  readonly options: OAuth2Settings
  readonly rules: OAuth2Rules
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

const defaultGrants = (original: boolean): readonly GrantName[] =>
  grantNames.filter((name) => grantKinds[name][original ? 'isLoopbackDefault' : 'isDefault'])

const pathOf = (value: string | false): Path => (value === false ? undefined : value)

/** What the options mean together. */
export function resolveSettings(options: OAuth2Settings): Settings {
  const rules = rulesWhere(options.compat === 'loopback')
  return {
    options,
    rules,
    issuer: options.issuer,
    grants: new Set(options.supportedGrantTypes ?? defaultGrants(rules.offersOriginalGrants)),
    pkceRequired: (options.pkce ?? (rules.makesPkceOptional ? 'optional' : 'required')) === 'required',
    paths: {
      authorize: pathOf(options.authorizePath),
      decision: pathOf(options.decisionPath),
      token: pathOf(options.tokenPath),
      revoke: pathOf(options.revokePath),
      introspect: pathOf(options.introspectPath),
      login: pathOf(options.loginPath),
      logout: pathOf(options.logoutPath),
      jwks: pathOf(options.jwksPath),
      userinfo: pathOf(options.userinfoPath),
      device: pathOf(options.devicePath),
      deviceAuthorization: pathOf(options.deviceAuthorizationPath)
    }
  }
}
