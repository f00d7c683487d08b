import type { ModelType } from '@modelwire/core'
import { InvalidRelation } from '../errors.ts'
import type { Relation, Through } from '../relation.ts'

/** The related model. @throws {InvalidRelation} each record has its own */
export function targetOf({ to, from, name }: Relation): ModelType {
  if (to !== undefined) return to
  throw new InvalidRelation('each record has a related model of its own', {
    model: from.name,
    key: `relations.${name}`
  })
}

/** The model between. @throws {InvalidRelation} there is none */
export function throughOf({ through, from, name }: Relation): Through {
  if (through !== undefined) return through
  throw new InvalidRelation('no model joins both sides', { model: from.name, key: `relations.${name}.through` })
}
