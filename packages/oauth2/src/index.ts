export { oauth2, oauth2 as default } from './plugin.ts'
export { type OAuth2Options, OAuth2OptionsSchema } from './options/oauth2-options.ts'
export type {
  GenerateToken,
  GetTtl,
  Lifetimes,
  TimeToLive,
  TokenRequest,
  FindUser,
  UserClaims,
  UserFacts,
  VerifyUser
} from './options/option-functions.ts'
export type { IssueToken, OAuth2, OrderedToken, TokenOrder } from './oauth2-app.ts'
export type { SignedIn, SignIns } from './pages/sign-ins.ts'
export type { Client, ClientAuthMethod, NewClient } from './server/clients/client.ts'
export type { ClientFunctions, ClientWithSecret } from './server/clients/registration.ts'
export type { ConsentRequest } from './pages/consent.ts'
export type { Interaction } from './pages/interaction.ts'
export type { GrantFacts } from './server/store/grant-facts.ts'
export type { StateRow, StateStore } from './server/store/states.ts'
export type { StoredToken, TokenStore } from './server/store/token-vault.ts'
export type { EndpointFunction, EndpointFunctions } from './server/endpoints/endpoints.ts'
export { installModels, oauth2Models } from './server/store/models.ts'
export {
  ClientInvalid,
  ClientNotFound,
  ClientTokenTypeUnsupported,
  ClientUnknown,
  ConsentRequired,
  CredentialsMalformed,
  CsrfTokenInvalid,
  GrantNotAllowed,
  GrantTypeMissing,
  InsufficientScope,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  InvalidTarget,
  InvalidToken,
  LoginRequired,
  MethodNotAllowed,
  OAuthError,
  type OAuthErrorOptions,
  OptionMissing,
  ParameterNotText,
  PermissionDenied,
  PermittedGrantNotAllowed,
  RedirectUriNotAllowed,
  RequestNotSupported,
  RequestUriNotSupported,
  ResponseTypeNotAllowed,
  ScopeNotAllowed,
  ServerError,
  TooManyRequests,
  TransactionMissing,
  TransactionUnknown,
  UnauthorizedClient,
  UnsupportedGrantType,
  UnsupportedResponseType,
  UnsupportedTokenType,
  AuthorizationPending,
  DeviceCodeExpired,
  DeviceDenied,
  SlowDown,
  AddressInsecure,
  IntrospectionUnavailable,
  KeysUnavailable,
  KeysUnsettled,
  KeyTooYoung,
  MappedOperationUnknown,
  PathInvalid,
  SigningKeyInvalid,
  SigningKeySealed,
  TemporarilyUnavailable,
  TokenExpired,
  TokenMissing,
  TokenOrphaned
} from './errors.ts'
export { resourceServer } from './resource-server-plugin.ts'
export { ResourceServerOptionsSchema, type ResourceServerOptions } from './options/resource-server-options.ts'
export type { AuthenticateOptions, CheckScopes } from './resource/authenticate.ts'
export type { ScopedRoute, ScopeRule } from './resource/scope-rule.ts'
export type { Authenticate, ExpressHandler, ResourceServer, RouteAccess } from './resource/resource-server.ts'
export type { TokenAccess } from './resource/token-access.ts'
export { signingAlgorithms, type SigningAlgorithm } from './options/resource-options.ts'
export {
  generateSigningKey,
  type SigningKey,
  type KeyRing,
  type RotateOptions,
  type TokenSigner
} from './server/keys/signing-key.ts'
