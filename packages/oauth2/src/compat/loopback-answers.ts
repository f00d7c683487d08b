/** How an error is answered: what differs from its own status and body. */
export interface Answer {
  readonly status?: number
  readonly error?: string
  /** The body as text; its headers replace those of the error. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body that LoopBack's error handler makes, with this name. */
  readonly name?: string
}

const denied: Answer = { status: 403, error: 'access_denied' }

/**
 * The answers of loopback-component-oauth2 that differ from the standards, by code: all differences in one table.
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
