import { InvalidOption } from '@modelwire/core/plugin'
import { type OAuth2Rules, rulesWhere } from './compat/loopback-rules.ts'
import type { OAuth2Settings } from './options/option-table.ts'
import { isResource } from './grants/read-resources.ts'
import { type GrantKind, offlineScope, refreshGrantType } from './grants/grant-kind.ts'
import { givesIdTokens } from './keys/key-settings.ts'
import { claimsOfScopes } from './oidc/user-claims.ts'

type Grants = Readonly<Record<string, GrantKind>>

/** A path, or nothing where it is switched off. */
export type Path = string | undefined

/** Paths of routes, those that are switched off left out. */
export interface Paths {
  readonly authorize: Path
  readonly decision: Path
  readonly token: Path
  readonly revoke: Path
  readonly introspect: Path
  readonly login: Path
  /** The page for signing in that the server has itself. */
  readonly loginPage: string
  readonly logout: Path
  readonly jwks: Path
  readonly userinfo: Path
  readonly device: Path
  readonly deviceAuthorization: Path
}

/** What the options mean together. */
export interface Settings {
  readonly options: OAuth2Settings
  readonly rules: OAuth2Rules
  readonly issuer: string | undefined
  /** The `grant_type` of each grant that is given. */
  readonly grantTypes: ReadonlySet<string>
  /** Scopes that the server names: those of its options, and of OpenID Connect. */
  readonly scopes: ReadonlySet<string>
  /** What people read of scopes, as far as the options say it. */
  readonly scopeTexts: ReadonlyMap<string, string>
  readonly pkceRequired: boolean
  readonly paths: Paths
}

/** The grants that are given: those that are named, else the default ones. */
function givenGrants(grants: Grants, named: readonly string[] | undefined, original: boolean): readonly GrantKind[] {
  if (named !== undefined) return named.flatMap((name) => grants[name] ?? [])
  return Object.values(grants).filter((kind) => kind[original ? 'isLoopbackDefault' : 'isDefault'])
}

/** The path of an issuer, without a slash at its end. */
export const issuerPath = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '')

/**
 * The paths of routes: below that of the issuer, whether or not the options repeat it.
 * @throws {InvalidOption} the path of the issuer would be a pattern for the router
 */
function resolvePaths(options: OAuth2Settings): Paths {
  const base = options.issuer === undefined ? '' : issuerPath(options.issuer)
  if (/[:*]/.test(base)) throw new InvalidOption('the path of issuer must not contain : or *', { key: 'issuer' })
  const below = (path: string): string => (`${path}/`.startsWith(`${base}/`) ? path : base + path)
  const pathOf = (value: string | false): Path => (value === false ? undefined : below(value))
  return {
    authorize: pathOf(options.authorizePath),
    decision: pathOf(options.decisionPath),
    token: pathOf(options.tokenPath),
    revoke: pathOf(options.revokePath),
    introspect: pathOf(options.introspectPath),
    login: pathOf(options.loginPath),
    loginPage: below('/login'),
    logout: pathOf(options.logoutPath),
    jwks: pathOf(options.jwksPath),
    userinfo: pathOf(options.userinfoPath),
    device: pathOf(options.devicePath),
    deviceAuthorization: pathOf(options.deviceAuthorizationPath)
  }
}

const namedScopes = (scopes: OAuth2Settings['scopes'] = []): readonly string[] =>
  Array.isArray(scopes) ? scopes : Object.keys(scopes)

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
  const grantTypes = new Set(given.map(({ type }) => type))
  const isOpenId = givesIdTokens(options)
  return {
    options,
    rules,
    issuer: options.issuer,
    grantTypes,
    scopes: new Set([
      ...(isOpenId ? ['openid', ...Object.keys(claimsOfScopes)] : []),
      ...(isOpenId && grantTypes.has(refreshGrantType) ? [offlineScope] : []),
      ...namedScopes(options.scopes),
      ...Object.keys(options.scopeMappings ?? {})
    ]),
    scopeTexts: new Map(Array.isArray(options.scopes) ? [] : Object.entries(options.scopes ?? {})),
    pkceRequired: (options.pkce ?? (rules.makesPkceOptional ? 'optional' : 'required')) === 'required',
    paths: resolvePaths(options)
  }
}
