import { type Call, type ModelType, repository, validateInstance } from '@modelwire/core/plugin'
import { ListNotAllowed } from '../errors.ts'

/**
 * Refuses a list where one record is made at a time. LB3: the list is taken for a record without any property, so that
 * its model's rules speak first; pinned by relations/references-many-numbers and relations/scopes.
 * @throws {ValidationError} a record of the model needs properties
 * @throws {ListNotAllowed} it does not
 */
export async function refuseList(model: ModelType, data: unknown, call: Call): Promise<void> {
  if (!Array.isArray(data)) return
  await validateInstance(model, repository.draftInstance(model, {}), false, call.options)
  throw new ListNotAllowed(`records of ${model.name} must be created one at a time here`)
}
