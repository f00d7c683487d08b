import { ApiError, DefinitionError } from '@modelwire/core'
import type { ApiErrorOptions } from '@modelwire/server'

/** The options of a protocol error. */
export interface OAuthErrorOptions extends ApiErrorOptions {
  /** Headers of the response, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A protocol error: returned as `{ error, error_description }`, or in the query of a redirect. */
export abstract class OAuthError extends ApiError {
  /** The `error` of RFC 6749 and its extensions. */
  abstract readonly error: string
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  constructor(message: string, { headers = {}, ...options }: OAuthErrorOptions = {}) {
    super(message, options)
    this.headers = headers
  }
}

/** A class of errors of the protocol. @param error the one that clients see */
const oauthError = <const Code extends string, const Status extends number, const Shown extends string>(
  code: Code,
  statusCode: Status,
  error: Shown
) => OAuthError.with({ code, statusCode, error })

/** A protocol request is malformed, or lacks a parameter: the description names it. */
export class InvalidRequest extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_REQUEST'
  override readonly statusCode = 400
  override readonly error = 'invalid_request'
}

/** A protocol parameter is a list, an object, or sent twice: send it once, as a string. */
export class ParameterNotText extends InvalidRequest.with({ code: 'OAUTH_PARAMETER_NOT_TEXT' }) {}
/** The endpoint only accepts POST. */
export class MethodNotAllowed extends oauthError('OAUTH_METHOD_NOT_ALLOWED', 405, 'invalid_request') {}
/** An authorization request is sent as a JWT (`request`): send its parameters. @see OpenID Connect Core, section 6.1 */
export class RequestNotSupported extends oauthError('OAUTH_REQUEST_NOT_SUPPORTED', 400, 'request_not_supported') {}
/** An authorization request is sent by reference (`request_uri`): send its parameters. @see OpenID Connect Core, section 6.2 */
export class RequestUriNotSupported extends oauthError(
  'OAUTH_REQUEST_URI_NOT_SUPPORTED',
  400,
  'request_uri_not_supported'
) {}

const howClientsProve = { 'www-authenticate': 'Basic realm="oauth2", charset="UTF-8"' }

/**
 * The client is unknown or failed to authenticate: check its id, its secret and its method.
 * @see RFC 9110 section 15.5.2: the answer names the supported methods
 */
export class InvalidClient extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_CLIENT'
  override readonly statusCode = 401
  override readonly error = 'invalid_client'
  constructor(message: string, options: OAuthErrorOptions = {}) {
    super(message, { headers: howClientsProve, ...options })
  }
}

/** The header `Authorization` or the assertion of a client is malformed: send Basic credentials, or a signed JWT. */
export class CredentialsMalformed extends InvalidClient.with({ code: 'OAUTH_CREDENTIALS_MALFORMED' }) {}
/** An authorization request names an unknown client. Shown to the user, never sent to the redirect URI. */
export class ClientNotFound extends oauthError('OAUTH_CLIENT_NOT_FOUND', 400, 'invalid_client') {}
/**
 * An authorization request names an unregistered redirect URI: register it exactly; only ports of loopback addresses may
 * differ. Shown to the user, never sent to that address.
 */
export class RedirectUriNotAllowed extends InvalidRequest.with({ code: 'OAUTH_REDIRECT_URI_NOT_ALLOWED' }) {}
/** A token request has no `grant_type`. */
export class GrantTypeMissing extends InvalidRequest.with({ code: 'OAUTH_GRANT_TYPE_MISSING' }) {}
/** A decision has no `transaction_id`. */
export class TransactionMissing extends InvalidRequest.with({ code: 'OAUTH_TRANSACTION_MISSING' }) {}
/**
 * The transaction of a decision has already been answered, took longer than ten minutes, or belongs to another user: start
 * again at the client.
 */
export class TransactionUnknown extends oauthError('OAUTH_TRANSACTION_UNKNOWN', 403, 'access_denied') {}
/** A code, refresh token, password or assertion is wrong, expired, used, or belongs to another client. */
export class InvalidGrant extends oauthError('OAUTH_INVALID_GRANT', 400, 'invalid_grant') {}

/** The client may not use this grant: the base of other errors, never thrown itself. */
export class UnauthorizedClient extends OAuthError {
  override readonly code: string = 'OAUTH_UNAUTHORIZED_CLIENT'
  override readonly statusCode = 400
  override readonly error = 'unauthorized_client'
}

/** The client is registered for other grants: add the grant to its `grantTypes`. */
export class GrantNotAllowed extends UnauthorizedClient {
  override readonly code: string = 'OAUTH_GRANT_NOT_ALLOWED'
}

/** A user permits a grant that the client may not use: thrown when issuing the code, with `compat: 'loopback'` only. */
export class PermittedGrantNotAllowed extends GrantNotAllowed.with({ code: 'OAUTH_PERMITTED_GRANT_NOT_ALLOWED' }) {}
/** The client is registered for other response types: add the type to its `responseTypes`. */
export class ResponseTypeNotAllowed extends UnauthorizedClient.with({ code: 'OAUTH_RESPONSE_TYPE_NOT_ALLOWED' }) {}
/** The server does not support this grant: add it to `supportedGrantTypes`. */
export class UnsupportedGrantType extends oauthError('OAUTH_UNSUPPORTED_GRANT_TYPE', 400, 'unsupported_grant_type') {}
/** The server does not support this response type: add its grant to `supportedGrantTypes`. */
export class UnsupportedResponseType extends oauthError(
  'OAUTH_UNSUPPORTED_RESPONSE_TYPE',
  400,
  'unsupported_response_type'
) {}

/** A scope is malformed, or exceeds that of an assertion: request less. */
export class InvalidScope extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_SCOPE'
  override readonly statusCode = 400
  override readonly error = 'invalid_scope'
}

/** The client is registered for other scopes: add the scope to its `scopes`. */
export class ScopeNotAllowed extends InvalidScope.with({ code: 'OAUTH_SCOPE_NOT_ALLOWED' }) {}
/** A resource is malformed, unknown (see `resources`), or was not part of the first request. @see RFC 8707 section 2 */
export class InvalidTarget extends oauthError('OAUTH_INVALID_TARGET', 400, 'invalid_target') {}
/** The user denied the request, or did not consent to what a client requests in the user's name. */
export class PermissionDenied extends oauthError('OAUTH_ACCESS_DENIED', 403, 'access_denied') {}
/** A revocation names an unknown `token_type_hint` (`compat` only). */
export class UnsupportedTokenType extends oauthError('OAUTH_UNSUPPORTED_TOKEN_TYPE', 400, 'unsupported_token_type') {}
/** The server failed: the log says why. */
export class ServerError extends oauthError('OAUTH_SERVER_ERROR', 500, 'server_error') {}
/** The shared state (Redis) is unavailable, and the request requires something that may happen only once. */
export class TemporarilyUnavailable extends oauthError(
  'OAUTH_TEMPORARILY_UNAVAILABLE',
  503,
  'temporarily_unavailable'
) {}
/** No user is signed in, and the client requested no page (`prompt=none`). */
export class LoginRequired extends oauthError('OAUTH_LOGIN_REQUIRED', 400, 'login_required') {}
/** The user has not consented yet, and the client requested no page (`prompt=none`). */
export class ConsentRequired extends oauthError('OAUTH_CONSENT_REQUIRED', 400, 'consent_required') {}
/** A form of a page has no valid token, or was open for too long: load the page again. */
export class CsrfTokenInvalid extends oauthError('OAUTH_CSRF_TOKEN_INVALID', 403, 'access_denied') {}
/**
 * One address sent too many requests, or there were too many failures for one user, client or device (`rateLimit`): wait
 * for the time in `retry-after`.
 */
export class TooManyRequests extends oauthError('OAUTH_TOO_MANY_REQUESTS', 429, 'temporarily_unavailable') {}

/** The token of a request is unknown or revoked. @see RFC 6750 section 3.1 */
export class InvalidToken extends OAuthError {
  override readonly code: string = 'OAUTH_INVALID_TOKEN'
  override readonly statusCode = 401
  override readonly error = 'invalid_token'
}

/** A request needs a token: send `Authorization: Bearer …`. */
export class TokenMissing extends oauthError('OAUTH_TOKEN_MISSING', 401, 'invalid_token') {}
/** The token has expired: refresh it. */
export class TokenExpired extends InvalidToken.with({ code: 'OAUTH_TOKEN_EXPIRED' }) {}
/** The user or the client of the token no longer exists. */
export class TokenOrphaned extends InvalidToken.with({ code: 'OAUTH_TOKEN_ORPHANED' }) {}
/** The token lacks a scope: request the one that the challenge names. @see RFC 6750 section 3.1 */
export class InsufficientScope extends oauthError('OAUTH_INSUFFICIENT_SCOPE', 403, 'insufficient_scope') {}
/** The keys of the authorization server cannot be read: try again later. */
export class KeysUnavailable extends ApiError.with({ code: 'OAUTH_KEYS_UNAVAILABLE', statusCode: 503 }) {}
/** The authorization server does not respond to introspection: try again later. */
export class IntrospectionUnavailable extends ApiError.with({
  code: 'OAUTH_INTROSPECTION_UNAVAILABLE',
  statusCode: 503
}) {}
/** Signing keys are rotated before the next one was published long enough: wait for `keys.cacheFor` and `keys.refreshAfter`. */
export class KeyTooYoung extends ApiError.with({ code: 'OAUTH_KEY_TOO_YOUNG', statusCode: 409 }) {}
/** Processes could not agree on signing keys: try again. */
export class KeysUnsettled extends ApiError.with({ code: 'OAUTH_KEYS_UNSETTLED', statusCode: 503 }) {}
/** A new client is malformed: the message says where. */
export class ClientInvalid extends ApiError.with({ code: 'OAUTH_CLIENT_INVALID', statusCode: 422 }) {}
/** No client has this id, or it has no secret to rotate. */
export class ClientUnknown extends ApiError.with({ code: 'OAUTH_CLIENT_UNKNOWN', statusCode: 404 }) {}
/**
 * The user of a device has not decided yet: poll again after `interval` seconds.
 * @see RFC 8628 section 3.5
 */
export class AuthorizationPending extends oauthError('OAUTH_AUTHORIZATION_PENDING', 400, 'authorization_pending') {}
/**
 * A device polls too often: from now on, wait five seconds longer between requests.
 * @see RFC 8628 section 3.5
 */
export class SlowDown extends oauthError('OAUTH_SLOW_DOWN', 400, 'slow_down') {}
/** The user did not answer the request of a device in time: start again. @see RFC 8628 section 3.5 */
export class DeviceCodeExpired extends oauthError('OAUTH_DEVICE_CODE_EXPIRED', 400, 'expired_token') {}
/** The user denied the request of a device. @see RFC 8628 section 3.5 */
export class DeviceDenied extends oauthError('OAUTH_DEVICE_DENIED', 400, 'access_denied') {}
/** An option of `oauth2` requires another one, such as `issuer`: the message names it. */
export class OptionMissing extends DefinitionError.with({ code: 'OAUTH_OPTION_MISSING' }) {}
/**
 * Clients of an existing database have the token type `jwt` or `mac`: set it to `bearer`, and `accessTokens` to `jwt` if
 * clients need JWTs.
 */
export class ClientTokenTypeUnsupported extends DefinitionError.with({ code: 'OAUTH_CLIENT_TOKEN_TYPE_UNSUPPORTED' }) {}
/** The authorization server would be requested without TLS: use https. */
export class AddressInsecure extends DefinitionError.with({ code: 'OAUTH_ADDRESS_INSECURE' }) {}
/** A path or a route of `authenticate` is malformed. */
export class PathInvalid extends DefinitionError.with({ code: 'OAUTH_PATH_INVALID' }) {}
/** `scopeMappings` names an unknown operation: write it as `Product.find` or `Product.*`. */
export class MappedOperationUnknown extends DefinitionError.with({ code: 'OAUTH_MAPPED_OPERATION_UNKNOWN' }) {}
/** A key in `keys.jwks` is malformed, symmetric, or has no private part: use a private key of RSA, EC or Ed25519. */
export class SigningKeyInvalid extends DefinitionError.with({ code: 'OAUTH_SIGNING_KEY_INVALID' }) {}
/** Stored signing keys were encrypted with another secret: add it to `keys.secret`. */
export class SigningKeySealed extends DefinitionError.with({ code: 'OAUTH_SIGNING_KEY_SEALED' }) {}
