import { ApiError, DefinitionError } from '@modelwire/core'
import { InvalidToken, OAuthError } from '../errors.ts'

/** A request needs a token and came without one. */
export class TokenMissing extends OAuthError {
  override readonly code = 'OAUTH_TOKEN_MISSING'
  override readonly statusCode = 401
  override readonly error = 'invalid_token'
}

/** The token's time is over. */
export class TokenExpired extends InvalidToken {
  override readonly code = 'OAUTH_TOKEN_EXPIRED'
}

/** The user or the client that a token belongs to is gone. */
export class TokenOrphaned extends InvalidToken {
  override readonly code = 'OAUTH_TOKEN_ORPHANED'
}

/** The keys of the authorization server cannot be read at the moment: no token can be judged. */
export class KeysUnavailable extends ApiError {
  override readonly code = 'OAUTH_KEYS_UNAVAILABLE'
  override readonly statusCode = 503
}

/** The authorization server does not answer questions about tokens at the moment. */
export class IntrospectionUnavailable extends ApiError {
  override readonly code = 'OAUTH_INTROSPECTION_UNAVAILABLE'
  override readonly statusCode = 503
}

/** An address of the authorization server would be requested without TLS. */
export class AddressInsecure extends DefinitionError {
  override readonly code = 'OAUTH_ADDRESS_INSECURE'
}

/** A path or a route of a scope rule cannot be understood. */
export class PathInvalid extends DefinitionError {
  override readonly code = 'OAUTH_PATH_INVALID'
}

/** A scope mapping names an operation that is not served. */
export class MappedOperationUnknown extends DefinitionError {
  override readonly code = 'OAUTH_MAPPED_OPERATION_UNKNOWN'
}
