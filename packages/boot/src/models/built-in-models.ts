import { replicationAdvice } from './refuse-replication.ts'

const replication = replicationAdvice

/** Models that every LoopBack application has and that are not served, each with what to use in its place. */
export const absentModels: ReadonlyMap<string, string> = new Map([
  ['Change', replication],
  ['Checkpoint', replication]
])

/** Models that are defined in every application, and are its own once `model-config.json` names them. */
export const definedModels: ReadonlySet<string> = new Set([
  'ACL',
  'AccessToken',
  'Application',
  'KeyValueModel',
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
