/** How an error is sent: what differs from its own status and body. */
export interface Answer {
  readonly status?: number
  readonly error?: string
  /** The body as text; its headers replace those of the error. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body as LoopBack's error handler creates it, with this name. */
  readonly name?: string
}

const denied: Answer = { status: 403, error: 'access_denied' }

/**
 * The responses of loopback-component-oauth2 that differ from the standards, by code: all differences in one table.
 * @see RFC 6749 section 5.2 for the other side
 */
export const loopbackAnswers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['OAUTH_INVALID_GRANT', { status: 403 }],
  [
    'OAUTH_INVALID_CLIENT',
    { status: 401, text: 'Unauthorized', headers: { 'www-authenticate': 'Basic realm="Users"' } }
  ],
  ['OAUTH_CREDENTIALS_MALFORMED', { status: 400, text: 'Bad Request', headers: {} }],
  ['OAUTH_SCOPE_NOT_ALLOWED', denied],
  ['OAUTH_GRANT_NOT_ALLOWED', denied],
  ['OAUTH_RESPONSE_TYPE_NOT_ALLOWED', denied],
  ['OAUTH_REDIRECT_URI_NOT_ALLOWED', denied],
  ['OAUTH_GRANT_TYPE_MISSING', { status: 400, error: 'unsupported_grant_type' }],
  [
    'OAUTH_CLIENT_NOT_FOUND',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="oAuth 2.0 client authentication"' } }
  ],
  ['OAUTH_TRANSACTION_MISSING', { name: 'BadRequestError' }],
  ['OAUTH_TRANSACTION_UNKNOWN', { name: 'ForbiddenError' }],
  ['OAUTH_PERMITTED_GRANT_NOT_ALLOWED', { status: 403, error: 'access_denied', name: 'AuthorizationError' }]
])

/**
 * The behaviours of loopback-component-oauth2, which this server only has with `compat: 'loopback'`; shown in
 * `docs/oauth2.md`.
 */
export const loopbackRules = {
  answersAsOriginal:
    'Errors have the status and body of the original: `invalid_grant` is 403 (otherwise 400), a client that fails to authenticate gets a 401 as text (otherwise `invalid_client`), a scope or grant that the client may not use is 403 `access_denied` (otherwise 400 `invalid_scope` or `unauthorized_client`), a missing `grant_type` 400 `unsupported_grant_type` (otherwise `invalid_request`).',
  showsErrorsAsJson:
    'Errors of pages are JSON, such as 401 for an unknown client in an authorization request; otherwise a page.',
  refusesAsOriginal:
    'A resource returns 403 `invalid_grant` for an expired token and 403 for a missing scope, without a challenge; otherwise 401 and 403 with one.',
  leavesGetUnanswered: '`GET` of the token endpoints is a 404; otherwise 405.',
  answersRevocationWithoutBody: 'The response to a revocation has no body; otherwise `{}`.',

  allowsAllWhenUnlisted:
    'A client without `grantTypes` may use all grants, one without `scopes` may request all scopes; otherwise codes and refresh tokens, and the scopes that the server lists.',
  offersOriginalGrants: 'The six grants of the original are enabled.',
  keepsOriginalLifetimes: 'Tokens and codes have the lifetimes of the original.',
  makesPkceOptional: 'Confidential clients do not need PKCE.',
  allowsUnmapped: 'Methods without a required scope are open to every token; otherwise closed.',

  givesClientsRefreshTokens:
    'Client credentials come with a refresh token, as with other grants, whatever the client may use.',
  takesFirstRedirect:
    'If a client has several redirect URIs and a request names none, the first one is used; otherwise 400.',
  answersInvalidRequests:
    'An invalid authorization request gets an error response; otherwise it is redirected to the client.',
  checksGrantAtDecision: 'A grant that the client may not use is refused once the user consents; otherwise before.',
  deniesWithoutDescription: 'A user who denies the request is redirected with `error=access_denied` only.',
  repeatsLoginPage: 'A failed login redirects to `loginPage` without the parameter `error`.',
  takesSilentForms: "Forms of the application's pages and views need no CSRF token, even if their origin is unknown.",

  authenticatesByGrant:
    'An assertion of the JWT grant that is malformed, or cannot be verified, is a failed authentication; otherwise `invalid_grant`.',
  takesPathAsAudience: 'An assertion may use the bare path of the token endpoint as its audience.',
  takesForeignSubjects: 'An assertion that authenticates a client may have another subject.',

  readsRevocationsFromQuery: 'A revocation request may pass its token in the query.',
  refusesUnknownHints:
    'A revocation with an unknown hint is a 400 `unsupported_token_type`; otherwise the hint is ignored.',
  keepsUnhintedRefreshTokens: 'A refresh token that is revoked without a hint remains valid.',
  readsTokenFromQuery: 'A resource reads `access_token` from the query.',
  hidesResourceMetadata: 'No protected resource metadata is published.',
  exposesCallerToExpress: "Express middleware finds the token's caller in `req`."
}

/** Which of these apply, by name. */
export type OAuth2Rules = Readonly<Record<keyof typeof loopbackRules, boolean>>

/** The rules if all or none apply. */
export const rulesWhere = (compat: boolean): OAuth2Rules =>
  Object.fromEntries(Object.keys(loopbackRules).map((name) => [name, compat])) as OAuth2Rules // the names are those of the table
