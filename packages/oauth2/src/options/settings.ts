import { fillDefaults, InvalidOption, type WithDefaults } from '@modelwire/server'
import { deviceGrantType, type GrantKind, offlineScope, refreshGrantType } from './grant-kind.ts'
import { type OAuth2Rules, rulesWhere } from './loopback-rules.ts'
import type { OAuth2Options, OAuth2Settings } from './oauth2-options.ts'
import { KeysSchema } from './resource-options.ts'

/** The option `keys` with its defaults. */
type KeyOptions = WithDefaults<typeof KeysSchema>

/** The settings of keys, including defaults if the option is absent, since access tokens may be signed without it. */
export const keySettings = ({ keys = {} }: OAuth2Options): KeyOptions => fillDefaults(KeysSchema, keys)

/** Whether ID tokens are issued: OpenID Connect is enabled. */
export const givesIdTokens = (options: OAuth2Options): boolean => options.issuer !== undefined && needsKeys(options)

/** Whether anything is signed: access tokens, or with keys set by the application. */
export function needsKeys({ accessTokens, keys }: OAuth2Options): boolean {
  return accessTokens === 'jwt' || keys !== undefined
}

/**
 * Scopes of OpenID Connect, with the claims that each grants.
 * @see OpenID Connect Core 1.0 section 5.4
 */
export const claimsOfScopes: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at'
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified']
}

type Grants = Readonly<Record<string, GrantKind>>

/** A path, or undefined if it is disabled. */
export type Path = string | undefined

/** Paths of routes, except those that are disabled or pointless with the other options. */
export interface Paths {
  readonly authorize: Path
  readonly decision: Path
  readonly token: Path
  readonly revoke: Path
  readonly introspect: Path
  readonly login: Path
  /** The built-in sign-in page. */
  readonly loginPage: string
  readonly logout: Path
  readonly jwks: Path
  readonly userinfo: Path
  readonly device: Path
  readonly deviceAuthorization: Path
}

/** The resolved options. */
export interface Settings {
  readonly options: OAuth2Settings
  readonly rules: OAuth2Rules
  readonly issuer: string | undefined
  /** The `grant_type` of each supported grant. */
  readonly grantTypes: ReadonlySet<string>
  /** Scopes that the server lists: those of its options, and of OpenID Connect. */
  readonly scopes: ReadonlySet<string>
  /** Descriptions of scopes for users, as far as the options set them. */
  readonly scopeTexts: ReadonlyMap<string, string>
  readonly pkceRequired: boolean
  readonly paths: Paths
}

/** The `grant_type` of each grant that is given: of those that are named, else of the default ones. */
function givenTypes(grants: Grants, options: OAuth2Settings, original: boolean): ReadonlySet<string> {
  const named = options.supportedGrantTypes?.flatMap((name) => grants[name] ?? [])
  const given = named ?? Object.values(grants).filter((kind) => kind[original ? 'isLoopbackDefault' : 'isDefault'])
  return new Set(given.filter(({ canBeGiven }) => canBeGiven?.(options) ?? true).map(({ type }) => type))
}

/** The path of an issuer, without a trailing slash. */
export const issuerPath = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '')

/**
 * The paths of routes: below that of the issuer, whether or not the options repeat it.
 * @throws {InvalidOption} the path of the issuer would be a pattern for the router
 */
function resolvePaths(options: OAuth2Settings, hasDevices: boolean): Paths {
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
    jwks: pathOf(needsKeys(options) && options.jwksPath),
    userinfo: pathOf(givesIdTokens(options) && options.userinfoPath),
    device: pathOf(hasDevices && options.devicePath),
    deviceAuthorization: pathOf(hasDevices && options.deviceAuthorizationPath)
  }
}

const namedScopes = (scopes: OAuth2Settings['scopes'] = []): readonly string[] =>
  Array.isArray(scopes) ? scopes : Object.keys(scopes)

/** True for what may name a resource: an absolute URL without a fragment. @see RFC 8707 section 2 */
const isResource = (text: string): boolean => URL.canParse(text) && !text.includes('#')

/**
 * Resolves the options.
 * @throws {InvalidOption} a resource is not an absolute URL without a fragment
 * @param grants all grants, by their names in `supportedGrantTypes`
 */
export function resolveSettings(options: OAuth2Settings, grants: Grants): Settings {
  const rules = rulesWhere(options.compat === 'loopback')
  const odd = options.resources?.find((resource) => !isResource(resource))
  if (odd !== undefined)
    throw new InvalidOption(`resources: "${odd}" is not an absolute URL without a fragment`, { key: 'resources' })
  const grantTypes = givenTypes(grants, options, rules.offersOriginalGrants)
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
    paths: resolvePaths(options, grantTypes.has(deviceGrantType))
  }
}

/** The URL of a path of this server, which already includes that of the issuer. */
export function addressOf(issuer: string, path: string): string {
  return new URL(issuer).origin + path
}
