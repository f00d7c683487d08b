import { ApiError, DefinitionError } from '@modelwire/core'

/** The application sets up Passport, but the package `passport` is not installed in it. */
export class PassportMissing extends DefinitionError.with({ code: 'PASSPORT_MISSING' }) {}
/** The `module` of a provider is not installed in the application, or does not export the `strategy`. */
export class PassportStrategyMissing extends DefinitionError.with({ code: 'PASSPORT_STRATEGY_MISSING' }) {}
/** A login comes before `setupModels`, the user model does not extend `User`, or that of identities has no relation `user`. */
export class PassportModelsMissing extends ApiError.with({ code: 'PASSPORT_MODELS_MISSING', statusCode: 500 }) {}
/** A provider returned no id for its user. */
export class ProfileIdMissing extends ApiError.with({ code: 'PROFILE_ID_MISSING', statusCode: 500 }) {}
/** A provider returned no email address: request it with `scope`, or set `emailOptional`. */
export class ProfileEmailMissing extends ApiError.with({ code: 'PROFILE_EMAIL_MISSING', statusCode: 500 }) {}
/** A provider's account is to be linked, but no user is logged in. */
export class LinkWithoutUser extends ApiError.with({ code: 'LINK_WITHOUT_USER', statusCode: 401 }) {}
