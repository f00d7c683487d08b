import type { Operation, RelatedBy } from '@modelwire/core'
import type { Relation } from '../relation.ts'
import { linkOperations } from './link-operations.ts'
import { toManyOperations } from './to-many-operations.ts'
import { toOneOperations } from './to-one-operations.ts'

/** The operations of one relation, in LoopBack's order. @see tables of the conformance data, by kind */
export function relationOperations(relation: Relation): Operation[] {
  const { kind } = relation
  const makers = kind.many ? { ...toManyOperations, ...linkOperations } : toOneOperations
  return kind.exposes.flatMap((method) => {
    const operation = makers[method]?.(relation)
    return operation === undefined ? [] : [{ ...operation, relatedBy: relatedBy(relation, method) }]
  })
}

function relatedBy({ name, from }: Relation, method: string): RelatedBy {
  return { method, name, model: from.name, type: from.definition.relations?.[name]?.type ?? '' }
}
