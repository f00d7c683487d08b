import { type ModelType, RecordNotFound } from '@modelwire/core'
import type { Relation } from '../relation.ts'

/** The 404 of a record that does not exist, or is another parent's. LB3: without a code, pinned by relations/has-many-write. */
export function missingChild({ name }: Relation, model: ModelType, id: unknown): RecordNotFound {
  return new RecordNotFound(`no ${model.name} of ${name} has the id ${JSON.stringify(id)}`)
}
