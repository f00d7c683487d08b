import type { Operation, ResolvedRelation } from '@modelwire/core/plugin'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { linkOperations } from './link-operations.ts'
import { toManyOperations } from './to-many-operations.ts'
import { toOneOperations } from './to-one-operations.ts'

/** The operations of one relation, in LoopBack's order. @see tables of the conformance data, by kind */
export function relationOperations(relation: ResolvedRelation): Operation[] {
  const kind = behaviourOf(relation)
  const makers = kind.many ? { ...toManyOperations, ...linkOperations } : toOneOperations
  return kind.exposes.flatMap((method) => makers[method]?.(relation) ?? [])
}
