import type { ModelType, OptimisticLocking } from '../contract/model-type.ts'
import type { Operation } from './operation.ts'

/** A model whose records have versions. */
export interface VersionedModel extends ModelType {
  readonly optimisticLocking: OptimisticLocking
}

const isVersioned = (model: ModelType | undefined): model is VersionedModel => model?.optimisticLocking !== undefined

/** The model of the one record that an operation reads or writes, where its records have versions. */
export function versionedBy({ model, effect }: Operation): VersionedModel | undefined {
  const { subject, verb, relation } = effect
  if (subject !== 'record' || verb === 'call' || relation?.embeds === true) return undefined
  const target = relation === undefined ? model : relation.to
  return isVersioned(target) ? target : undefined
}
