import { ApiError, DefinitionError } from '@modelwire/core'
import type { ApiErrorOptions } from '@modelwire/core/plugin'

/** Facts of an error of the protocol. */
export interface OAuthErrorOptions extends ApiErrorOptions {
  /** Headers of the answer, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An error of the protocol: answered as `{ error, error_description }`, or in the query of a redirect. */
export abstract class OAuthError extends ApiError {
  /** The `error` of RFC 6749 and its extensions. */
  abstract readonly error: string
  /** Headers that go with it. */
  readonly headers: Readonly<Record<string, string>>
  constructor(message: string, { headers = {}, ...options }: OAuthErrorOptions = {}) {
    super(message, options)
    this.headers = headers
  }
}

/** The request is malformed. */
export class InvalidRequest extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_REQUEST'
  override readonly statusCode = 400
  override readonly error = 'invalid_request'
}

/** A parameter of the protocol is a list, an object, or there twice. */
export class ParameterNotText extends InvalidRequest {
  override readonly code = 'OAUTH_PARAMETER_NOT_TEXT'
}

/** A GET request to an endpoint that only accepts POST. */
export class MethodNotAllowed extends OAuthError {
  override readonly code = 'OAUTH_METHOD_NOT_ALLOWED'
  override readonly statusCode = 405
  override readonly error = 'invalid_request'
}

/** A request comes as a JWT, which this server does not read. @see OpenID Connect Core, section 6.1 */
export class RequestNotSupported extends OAuthError {
  override readonly code = 'OAUTH_REQUEST_NOT_SUPPORTED'
  override readonly statusCode = 400
  override readonly error = 'request_not_supported'
}

/** A request is to be fetched, which this server does not do. @see OpenID Connect Core, section 6.2 */
export class RequestUriNotSupported extends OAuthError {
  override readonly code = 'OAUTH_REQUEST_URI_NOT_SUPPORTED'
  override readonly statusCode = 400
  override readonly error = 'request_uri_not_supported'
}

const howClientsProve = { 'www-authenticate': 'Basic realm="oauth2", charset="UTF-8"' }

/** The client is unknown or not authenticated. @see RFC 9110 section 15.5.2: the answer names the supported methods */
export class InvalidClient extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_CLIENT'
  override readonly statusCode: number = 401
  override readonly error = 'invalid_client'
  constructor(message: string, options: OAuthErrorOptions = {}) {
    super(message, { headers: howClientsProve, ...options })
  }
}

/** The header `Authorization` or the assertion of a client is malformed. */
export class CredentialsMalformed extends InvalidClient {
  override readonly code = 'OAUTH_CREDENTIALS_MALFORMED'
}

/** An authorization request names a client that there is not: shown to the user, never sent to the redirect URI. */
export class ClientNotFound extends OAuthError {
  override readonly code = 'OAUTH_CLIENT_NOT_FOUND'
  override readonly statusCode = 400
  override readonly error = 'invalid_client'
}

/** An authorization request names an unregistered redirect URI: shown to the user, never sent to that address. */
export class RedirectUriNotAllowed extends InvalidRequest {
  override readonly code = 'OAUTH_REDIRECT_URI_NOT_ALLOWED'
}

/** A token request names no grant. */
export class GrantTypeMissing extends InvalidRequest {
  override readonly code = 'OAUTH_GRANT_TYPE_MISSING'
}

/** A decision names no transaction. */
export class TransactionMissing extends InvalidRequest {
  override readonly code = 'OAUTH_TRANSACTION_MISSING'
}

/** A decision names a transaction that is unknown, over, answered, or another user's. */
export class TransactionUnknown extends OAuthError {
  override readonly code = 'OAUTH_TRANSACTION_UNKNOWN'
  override readonly statusCode = 403
  override readonly error = 'access_denied'
}

/** The code, refresh token, password or assertion is wrong, expired, used, or another client's. */
export class InvalidGrant extends OAuthError {
  override readonly code = 'OAUTH_INVALID_GRANT'
  override readonly statusCode = 400
  override readonly error = 'invalid_grant'
}

/** The client may not use this grant. */
export class UnauthorizedClient extends OAuthError {
  override readonly code: string = 'OAUTH_UNAUTHORIZED_CLIENT'
  override readonly statusCode = 400
  override readonly error = 'unauthorized_client'
}

/** The client is registered for other grants. */
export class GrantNotAllowed extends UnauthorizedClient {
  override readonly code: string = 'OAUTH_GRANT_NOT_ALLOWED'
}

/** A user permits what the client may not use: thrown when issuing the code, with `compat: 'loopback'` alone. */
export class PermittedGrantNotAllowed extends GrantNotAllowed {
  override readonly code = 'OAUTH_PERMITTED_GRANT_NOT_ALLOWED'
}

/** The client is registered for other response types. */
export class ResponseTypeNotAllowed extends UnauthorizedClient {
  override readonly code = 'OAUTH_RESPONSE_TYPE_NOT_ALLOWED'
}

/** This server does not give this grant. */
export class UnsupportedGrantType extends OAuthError {
  override readonly code = 'OAUTH_UNSUPPORTED_GRANT_TYPE'
  override readonly statusCode = 400
  override readonly error = 'unsupported_grant_type'
}

/** This server has no such response type. */
export class UnsupportedResponseType extends OAuthError {
  override readonly code = 'OAUTH_UNSUPPORTED_RESPONSE_TYPE'
  override readonly statusCode = 400
  override readonly error = 'unsupported_response_type'
}

/** A scope is unknown, malformed, or more than the client may request. */
export class InvalidScope extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_SCOPE'
  override readonly statusCode = 400
  override readonly error = 'invalid_scope'
}

/** The client is registered for other scopes. */
export class ScopeNotAllowed extends InvalidScope {
  override readonly code = 'OAUTH_SCOPE_NOT_ALLOWED'
}

/** A resource is unknown or malformed. @see RFC 8707 section 2 */
export class InvalidTarget extends OAuthError {
  override readonly code = 'OAUTH_INVALID_TARGET'
  override readonly statusCode = 400
  override readonly error = 'invalid_target'
}

/** The user, or the server, denied the request. */
export class PermissionDenied extends OAuthError {
  override readonly code = 'OAUTH_ACCESS_DENIED'
  override readonly statusCode = 403
  override readonly error = 'access_denied'
}

/** The server cannot do this token's type. */
export class UnsupportedTokenType extends OAuthError {
  override readonly code = 'OAUTH_UNSUPPORTED_TOKEN_TYPE'
  override readonly statusCode = 400
  override readonly error = 'unsupported_token_type'
}

/** Something of the server's own went wrong. */
export class ServerError extends OAuthError {
  override readonly code = 'OAUTH_SERVER_ERROR'
  override readonly statusCode = 500
  override readonly error = 'server_error'
}

/** No user is signed in, and the client requested no page (`prompt=none`). */
export class LoginRequired extends OAuthError {
  override readonly code = 'OAUTH_LOGIN_REQUIRED'
  override readonly statusCode = 400
  override readonly error = 'login_required'
}

/** Consent is missing, and the client requested no page (`prompt=none`). */
export class ConsentRequired extends OAuthError {
  override readonly code = 'OAUTH_CONSENT_REQUIRED'
  override readonly statusCode = 400
  override readonly error = 'consent_required'
}

/** A form of a page came without the token of the page. */
export class CsrfTokenInvalid extends OAuthError {
  override readonly code = 'OAUTH_CSRF_TOKEN_INVALID'
  override readonly statusCode = 403
  override readonly error = 'access_denied'
}

/** Too many requests of one address in a short time. */
export class TooManyRequests extends OAuthError {
  override readonly code = 'OAUTH_TOO_MANY_REQUESTS'
  override readonly statusCode = 429
  override readonly error = 'temporarily_unavailable'
}

/** The token of a request is unknown, expired or revoked. @see RFC 6750 section 3.1 */
export class InvalidToken extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_TOKEN'
  override readonly statusCode: number = 401
  override readonly error = 'invalid_token'
}

/** The token of a request does not reach far enough. @see RFC 6750 section 3.1 */
export class InsufficientScope extends OAuthError {
  override readonly code = 'OAUTH_INSUFFICIENT_SCOPE'
  override readonly statusCode = 403
  override readonly error = 'insufficient_scope'
}

/** A client of an existing database has a token type that is not served: `jwt` or `mac` of LoopBack's component. */
export class ClientTokenTypeUnsupported extends DefinitionError {
  override readonly code = 'OAUTH_CLIENT_TOKEN_TYPE_UNSUPPORTED'
}

/** An option needs another one, such as `issuer`. */
export class OptionMissing extends DefinitionError {
  override readonly code = 'OAUTH_OPTION_MISSING'
}

/** A new client is malformed. */
export class ClientInvalid extends ApiError {
  override readonly code = 'OAUTH_CLIENT_INVALID'
  override readonly statusCode = 422
}

/** No client has this id. */
export class ClientUnknown extends ApiError {
  override readonly code = 'OAUTH_CLIENT_UNKNOWN'
  override readonly statusCode = 404
}
