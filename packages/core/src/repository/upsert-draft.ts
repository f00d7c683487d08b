import type { Call } from '../contract/call.ts'
import type { Row } from '../contract/row.ts'
import { scopeValues } from '../filter/default-scope.ts'
import type { ModelInstance } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { draftInstance } from './create.ts'

/** LB3: an upsert is validated without the defaults of what was not sent; lib/dao.js, upsertWithWhere */
export function draftAsSent(model: ModelType, sent: Row): ModelInstance {
  const draft = draftInstance(model, sent)
  const completed = model.properties.filter(
    ({ name, makeDefault }) => makeDefault !== undefined && sent[name] === undefined
  )
  const forced = scopeValues(model) ?? {}
  for (const { name } of completed) if (!(name in forced)) draft[name] = undefined
  return draft
}

/** What is validated of a draft: without defaults as LoopBack does, or as it is. */
export const draftToCheck = (model: ModelType, draft: ModelInstance, sent: Row): ModelInstance =>
  model.registry.rules.validatesBeforeDefaults ? draftAsSent(model, sent) : draft

/** LB3: a setting of the model decides whether upserts are validated; lib/dao.js, updateOrCreate */
export function validatesUpsert({ definition }: ModelType, { options }: Call): boolean {
  return (options['validate'] ?? definition.validateUpsert ?? definition.automaticValidation) === true
}
