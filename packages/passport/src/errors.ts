import { ApiError, DefinitionError } from '@modelwire/core'

/** The package `passport` is not installed beside the application. */
export class PassportMissing extends DefinitionError {
  override readonly code = 'PASSPORT_MISSING'
}

/** The module of a provider is not installed beside the application, or exports no strategy. */
export class PassportStrategyMissing extends DefinitionError {
  override readonly code = 'PASSPORT_STRATEGY_MISSING'
}

/** A login comes before `setupModels`, or its model of users makes no tokens. */
export class PassportModelsMissing extends ApiError {
  override readonly code = 'PASSPORT_MODELS_MISSING'
  override readonly statusCode = 500
}

/** A provider gave no id of its user, by which the account could be known again. */
export class ProfileIdMissing extends ApiError {
  override readonly code = 'PROFILE_ID_MISSING'
  override readonly statusCode = 500
}

/** A provider gave no email address, and `emailOptional` is not set. */
export class ProfileEmailMissing extends ApiError {
  override readonly code = 'PROFILE_EMAIL_MISSING'
  override readonly statusCode = 500
}

/** An account of a provider is to be linked, and no user is logged in. */
export class LinkWithoutUser extends ApiError {
  override readonly code = 'LINK_WITHOUT_USER'
  override readonly statusCode = 401
}
