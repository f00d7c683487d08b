import { InvalidOption } from '@modelwire/core/plugin'
import { type OAuth2Rules, rulesWhere } from './compat/loopback-rules.ts'
import type { OAuth2Settings } from './options/option-table.ts'
import { isResource } from './grants/read-resources.ts'
import type { GrantKind } from './grants/grant-kind.ts'
import { givesIdTokens } from './keys/key-settings.ts'
import { claimsOfScopes } from './oidc/user-claims.ts'

type Grants = Readonly<Record<string, GrantKind>>

/** A path, or nothing where it is switched off. */
export type Path = string | undefined

/** What the options mean together. */
export interface Settings {
  readonly options: OAuth2Settings
  readonly rules: OAuth2Rules
  readonly issuer: string | undefined
  /** The `grant_type` of each grant that is given. */
  readonly grantTypes: ReadonlySet<string>
  /** Scopes that the server names: those of its options, and of OpenID Connect. */
  readonly scopes: ReadonlySet<string>
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

/** The grants that are given: those that are named, else the default ones. */
function givenGrants(grants: Grants, named: readonly string[] | undefined, original: boolean): readonly GrantKind[] {
  if (named !== undefined) return named.flatMap((name) => grants[name] ?? [])
  return Object.values(grants).filter((kind) => kind[original ? 'isLoopbackDefault' : 'isDefault'])
}

const pathOf = (value: string | false): Path => (value === false ? undefined : value)

/**
 * What the options mean together.
 * @throws {InvalidOption} a resource is not an absolute URL without a fragment
 * @param grants all grants, by their names in `supportedGrantTypes`
 */
export function resolveSettings(options: OAuth2Settings, grants: Grants): Settings {
  const rules = rulesWhere(options.compat === 'loopback')
  const odd = options.resources?.find((resource) => !isResource(resource))
  if (odd !== undefined)
    throw new InvalidOption(`resources: "${odd}" is not an absolute URL without a fragment`, { key: 'resources' })
  const given = givenGrants(grants, options.supportedGrantTypes, rules.offersOriginalGrants)
  return {
    options,
    rules,
    issuer: options.issuer,
    grantTypes: new Set(given.map(({ type }) => type)),
    scopes: new Set([
      ...(givesIdTokens(options) ? ['openid', ...Object.keys(claimsOfScopes)] : []),
      ...(options.scopes ?? []),
      ...Object.keys(options.scopeMappings ?? {})
    ]),
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
