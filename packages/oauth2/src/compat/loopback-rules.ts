/** What loopback-component-oauth2 answers, and this server with `compat: 'loopback'` alone; `docs/oauth2.md` shows it. */
export const loopbackRules = {
  answersAsOriginal:
    'Errors have the status and body of the original: `invalid_grant` is 403 (otherwise 400), a client that does not prove who it is gets a 401 as text (otherwise `invalid_client`), a scope or grant that the client may not use is 403 `access_denied` (otherwise 400 `invalid_scope` or `unauthorized_client`), a missing `grant_type` 400 `unsupported_grant_type` (otherwise `invalid_request`).',
  showsErrorsAsJson:
    'Errors of pages are JSON, as 401 for an unknown client in an authorization request; otherwise a page.',
  refusesAsOriginal:
    'A resource answers an expired token by 403 `invalid_grant` and one without the scope by 403, without a challenge; otherwise 401 and 403 with one.',
  leavesGetUnanswered: '`GET` of the endpoints of tokens is a 404; otherwise 405.',
  answersRevocationWithoutBody: 'A revocation is answered without a body; otherwise `{}`.',

  allowsAllWhenUnlisted:
    'A client without `grantTypes` may use all grants, one without `scopes` may have all scopes; otherwise codes and refresh tokens, and the scopes that the server names.',
  offersOriginalGrants: 'The six grants of the original are given.',
  keepsOriginalLifetimes: 'Tokens and codes live as long as those of the original.',
  makesPkceOptional: 'Confidential clients need no PKCE.',
  allowsUnmapped: 'Methods that no scope is asked for are open to every token; otherwise closed.',

  givesClientsRefreshTokens:
    'Client credentials come with a refresh token, as other grants, whatever the client may use.',
  takesFirstRedirect:
    'Of several redirect URIs of a client the first is taken where a request names none; otherwise 400.',
  answersInvalidRequests:
    'A request for authorization that is not in order is answered; otherwise it is redirected to the client.',
  checksGrantAtDecision: 'A grant that the client may not use is refused when the user permits it; otherwise before.',
  deniesWithoutDescription: 'A user who says no leaves `error=access_denied` alone.',
  repeatsLoginPage: 'A failed login leads to `loginPage` without the parameter `error`.',
  takesSilentForms:
    'Forms of pages and views of the application need no CSRF token, also where nothing says what site they are from.',

  authenticatesByGrant:
    'An assertion of the JWT grant that is malformed, or cannot be verified, is a failed authentication; otherwise `invalid_grant`.',
  takesPathAsAudience: 'An assertion may name the bare path of the endpoint of tokens as its audience.',
  takesForeignSubjects: 'An assertion that authenticates a client may name another subject.',

  readsRevocationsFromQuery: 'A revocation may name its token in the query.',
  refusesUnknownHints:
    'A revocation with an unknown hint is a 400 `unsupported_token_type`; otherwise the hint is passed over.',
  keepsUnhintedRefreshTokens: 'A refresh token that is revoked without a hint goes on working.',
  readsTokenFromQuery: 'A resource reads `access_token` from the query.',
  hidesResourceMetadata: 'No metadata of resources are published.',
  exposesCallerToExpress: 'Express middleware finds the caller of a token in `req`.'
}

/** Which of these hold, by name. */
export type OAuth2Rules = Readonly<Record<keyof typeof loopbackRules, boolean>>

/** The rules where all or none hold. */
export const rulesWhere = (compat: boolean): OAuth2Rules =>
  Object.fromEntries(Object.keys(loopbackRules).map((name) => [name, compat])) as OAuth2Rules // the names are those of the table
