import type { ModelDefinition } from '@modelwire/core'
import { ReplicationNotProvided } from '../errors.ts'

/** The advice wherever an application uses LoopBack's replication. */
export const replicationAdvice = 'replication is not part of Modelwire: use that of the database, or change streams'

/**
 * Refuses a model whose changes are to be recorded for replication.
 * @throws {ReplicationNotProvided} `trackChanges` is set
 */
export function refuseReplication(definition: ModelDefinition, file?: string): void {
  const tracks: unknown = Reflect.get(definition, 'trackChanges')
  if (!tracks) return
  throw new ReplicationNotProvided(`changes of records are not recorded: ${replicationAdvice}`, {
    model: definition.name,
    ...(file === undefined ? {} : { file }),
    key: 'trackChanges'
  })
}
