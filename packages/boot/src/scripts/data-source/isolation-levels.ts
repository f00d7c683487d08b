import { isolationLevels as standardLevels } from '@modelwire/core/connector'
import { refusedMember } from '../refuse-member.ts'

/** `Transaction` of LoopBack's modules: the names of its isolation levels and events. */
export const isolationLevels: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    standardLevels.map((level) => level.toUpperCase()).map((level) => [level.replaceAll(' ', '_'), level] as const)
  ),
  hookTypes: {
    BEFORE_COMMIT: 'before commit',
    AFTER_COMMIT: 'after commit',
    BEFORE_ROLLBACK: 'before rollback',
    AFTER_ROLLBACK: 'after rollback',
    TIMEOUT: 'timeout'
  },
  begin: refusedMember('Transaction.begin', 'use Model.beginTransaction or dataSource.beginTransaction')
}
