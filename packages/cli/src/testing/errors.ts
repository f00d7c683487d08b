import { DefinitionError } from '@modelwire/core'

/** What a test wants of an application that the application does not have. */
export abstract class TestServerError extends DefinitionError {}

/** What is to be tested is neither a folder nor a function that makes a server with models, or its server was built before. */
export class TestAppInvalid extends TestServerError {
  override readonly code = 'TEST_APP_INVALID'
}

/** The option `dataSources` names a data source that the application does not have. */
export class TestDataSourceUnknown extends TestServerError {
  override readonly code = 'TEST_DATA_SOURCE_UNKNOWN'
}

/** The application has no model of users with tokens. */
export class TestUserModelMissing extends TestServerError {
  override readonly code = 'TEST_USER_MODEL_MISSING'
}

/** Several models are users, and none is named. */
export class TestUserModelAmbiguous extends TestServerError {
  override readonly code = 'TEST_USER_MODEL_AMBIGUOUS'
}

/** The application stores no roles. */
export class TestRolesMissing extends TestServerError {
  override readonly code = 'TEST_ROLES_MISSING'
}

/** The application issues no tokens of OAuth 2.0. */
export class TestOAuthMissing extends TestServerError {
  override readonly code = 'TEST_OAUTH_MISSING'
}
