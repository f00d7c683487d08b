/** Models that every LoopBack application has, and what is missing where they are not served. */
export const builtInModels: ReadonlyMap<string, string> = new Map([
  ['User', 'users and tokens'],
  ['AccessToken', 'users and tokens'],
  ['ACL', 'access control'],
  ['Role', 'access control'],
  ['RoleMapping', 'access control'],
  ['Scope', 'access control'],
  ['Application', 'client applications'],
  ['Change', 'replication'],
  ['Checkpoint', 'replication'],
  ['KeyValueModel', 'key-value stores']
])
