export { oauth2, oauth2 as default } from './plugin.ts'
export { type OAuth2Options, OAuth2OptionsSchema } from './options.ts'
export type { GenerateToken, GetTtl, Lifetimes, TimeToLive, TokenRequest } from './options/option-functions.ts'
export type { FindUser, UserClaims, UserFacts, VerifyUser } from './options/user-functions.ts'
export type { OAuth2 } from './oauth2-app.ts'
export type { SignedIn, SignIns } from './signed-in.ts'
export type { Client, ClientAuthMethod } from './clients/client.ts'
export type { ClientFunctions, ClientWithSecret } from './clients/client-functions.ts'
export type { NewClient } from './clients/new-client.ts'
export type {
  ConsentRequest,
  GrantFacts,
  Interaction,
  StateRow,
  StateStore,
  StoredToken,
  TokenSigner,
  TokenStore
} from './seams.ts'
export type { IssueToken, OrderedToken, TokenOrder } from './tokens/issue-in-code.ts'
export type { EndpointFunction, EndpointFunctions } from './endpoints/endpoint-functions.ts'
export { installModels } from './models/install-models.ts'
export { oauth2Models } from './models/definitions.ts'
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
  UnsupportedTokenType
} from './errors.ts'
export { AuthorizationPending, DeviceCodeExpired, DeviceDenied, SlowDown } from './device/device-errors.ts'
export { resourceServer } from './resource-server-plugin.ts'
export { ResourceServerOptionsSchema, type ResourceServerOptions } from './options/resource-server-options.ts'
export type { AuthenticateOptions, CheckScopes } from './resource/authenticate.ts'
export type { ScopedRoute, ScopeRule } from './resource/scope-rule.ts'
export type { Authenticate, ExpressHandler, ResourceServer, RouteAccess } from './resource/resource-server.ts'
export type { TokenAccess } from './resource/token-access.ts'
export type { KeyRing, RotateOptions } from './keys/key-ring.ts'
export { signingAlgorithms, type SigningAlgorithm } from './keys/signing-algorithms.ts'
export { generateSigningKey, type SigningKey } from './keys/signing-key.ts'
export { TemporarilyUnavailable } from './http/http-errors.ts'
export { KeysUnsettled, KeyTooYoung, SigningKeyInvalid, SigningKeySealed } from './keys/key-errors.ts'
export {
  AddressInsecure,
  IntrospectionUnavailable,
  KeysUnavailable,
  MappedOperationUnknown,
  PathInvalid,
  TokenExpired,
  TokenMissing,
  TokenOrphaned
} from './resource/resource-errors.ts'
