import { BareModel, typeOf } from '../contract/bare-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Operation } from './operation.ts'

const holdsSecrets = (model: ModelType | undefined): boolean => model?.definition.holdsSecrets === true

const isSecret = (value: unknown): boolean => value instanceof BareModel && holdsSecrets(typeOf(value))

/** True where an answer holds a secret, by what its operation declares, the models that it is about, or the records that it shows. */
export function answersSecret({ returnsSecret, model, effect }: Operation, result: unknown): boolean {
  if (returnsSecret !== undefined) return returnsSecret
  const { relation, via } = effect
  if ([model, relation?.to, via?.to].some(holdsSecrets)) return true
  const shown: readonly unknown[] = typeof result === 'object' && result !== null ? Object.values(result) : []
  return [result, ...shown].some(isSecret)
}
