import { refusedMember } from '../refuse-member.ts'

/** `Transaction` of LoopBack's modules: the names of its isolation levels and events. */
export const isolationLevels: Readonly<Record<string, unknown>> = {
  SERIALIZABLE: 'SERIALIZABLE',
  REPEATABLE_READ: 'REPEATABLE READ',
  READ_COMMITTED: 'READ COMMITTED',
  READ_UNCOMMITTED: 'READ UNCOMMITTED',
  hookTypes: {
    BEFORE_COMMIT: 'before commit',
    AFTER_COMMIT: 'after commit',
    BEFORE_ROLLBACK: 'before rollback',
    AFTER_ROLLBACK: 'after rollback',
    TIMEOUT: 'timeout'
  },
  begin: refusedMember('Transaction.begin', 'use Model.beginTransaction or dataSource.beginTransaction')
}
