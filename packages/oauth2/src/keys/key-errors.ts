import { ApiError, DefinitionError } from '@modelwire/core'

/** A configured signing key cannot be used: it is malformed, symmetric, or has no private part. */
export class SigningKeyInvalid extends DefinitionError {
  override readonly code = 'OAUTH_SIGNING_KEY_INVALID'
}

/** A stored signing key was encrypted with a secret that this process does not have, or was changed. */
export class SigningKeySealed extends DefinitionError {
  override readonly code = 'OAUTH_SIGNING_KEY_SEALED'
}

/** The next key has not been published for long enough: those who verify might not know it yet. */
export class KeyTooYoung extends ApiError {
  override readonly code = 'OAUTH_KEY_TOO_YOUNG'
  override readonly statusCode = 409
}

/** Signing keys could not be agreed on with other processes. */
export class KeysUnsettled extends ApiError {
  override readonly code = 'OAUTH_KEYS_UNSETTLED'
  override readonly statusCode = 503
}
