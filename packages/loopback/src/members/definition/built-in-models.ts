import type { ModelDefinition } from '@modelwire/core'
import { ReplicationNotProvided } from '../../errors.ts'

/** The advice wherever an application uses LoopBack's replication. */
export const replicationAdvice = 'replication is not part of Modelwire: use that of the database, or change streams'

/** LoopBack's built-in models that are not served, each with its replacement. */
export const absentModels: ReadonlyMap<string, string> = new Map([
  ['Change', replicationAdvice],
  ['Checkpoint', replicationAdvice]
])

/** Models defined in every application, which become its own once `model-config.json` names them. */
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

/**
 * Throws for a model that enables change tracking for replication.
 * @throws {ReplicationNotProvided} `trackChanges` is set
 */
export function refuseReplication(definition: ModelDefinition, file?: string): void {
  const tracks: unknown = Reflect.get(definition, 'trackChanges')
  if (!tracks) return
  throw new ReplicationNotProvided(`changes of records are not tracked: ${replicationAdvice}`, {
    model: definition.name,
    ...(file === undefined ? {} : { file }),
    key: 'trackChanges'
  })
}
