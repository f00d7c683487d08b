// `modelwire/testing`: an application under test, its users and tokens.
export { testServer, type TestServer } from './test-server.ts'
export type { BuildTestServer, TestDataSource, TestedApp, TestServerOptions } from './options.ts'
export type { NewTestUser, TestUser, WriteAuthorization } from './make-user.ts'
export type { NewTestToken, TestToken } from './oauth-token.ts'
export type { TestClient, TestHeaders, TestPayload } from './test-client.ts'
export {
  TestAppInvalid,
  TestDataSourceUnknown,
  TestOAuthMissing,
  TestRolesMissing,
  TestServerError,
  TestUserModelAmbiguous,
  TestUserModelMissing
} from '../errors.ts'
