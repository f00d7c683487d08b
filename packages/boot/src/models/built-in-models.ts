/** Models that every LoopBack application has, and what is missing where they are not served yet. */
export const builtInModels: ReadonlyMap<string, string> = new Map([
  ['Change', 'replication'],
  ['Checkpoint', 'replication'],
  ['KeyValueModel', 'key-value stores']
])

/** Models that are defined in every application, and are its own once `model-config.json` names them. */
export const definedModels: ReadonlySet<string> = new Set([
  'ACL',
  'AccessToken',
  'Application',
  'OAuthAccessToken',
  'OAuthAuthorizationCode',
  'OAuthClientApplication',
  'OAuthPermission',
  'OAuthScope',
  'OAuthScopeMapping',
  'OAuthState',
  'Role',
  'RoleMapping',
  'Scope',
  'User'
])
