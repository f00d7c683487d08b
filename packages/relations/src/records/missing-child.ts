import { RecordNotFound } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import type { Related } from '../related.ts'
import { relatedRights } from './related-query.ts'

/**
 * The 404 of a record that does not exist, or is another parent's. A client who may see some of the records alone is refused in
 * place of it, and learns nothing of the others. LB3: without a code, pinned by relations/has-many-write.
 */
export async function missingChild(related: Related, model: ModelType, id: unknown): Promise<Error> {
  const rights = await relatedRights(related, model)
  if (rights?.condition !== undefined) return rights.deny()
  return new RecordNotFound(`no ${model.name} of ${related.relation.name} has the id ${JSON.stringify(id)}`)
}
