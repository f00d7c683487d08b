import { RecordNotFound } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import type { Related } from '../related.ts'
import { relatedRights } from './related-query.ts'

/**
 * The 404 of a record that does not exist, or is another parent's. A client that may see only some of the records gets
 * the restriction's error instead, which reveals nothing about the others. LB3: without a code, pinned by
 * relations/has-many-write.
 */
export async function missingChild(related: Related, model: ModelType, id: unknown): Promise<Error> {
  const rights = await relatedRights(related, model)
  if (rights?.condition !== undefined) return rights.deny()
  return new RecordNotFound(`no ${model.name} of ${related.relation.name} has the id ${JSON.stringify(id)}`)
}
