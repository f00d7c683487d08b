import type { ModelConstructor } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Registry } from '../contract/registry.ts'
import type { Operation, OperationSource } from './operation.ts'

// Models do not know operations, which are about them: what was added to a model or a registry is kept beside it.
const own = new WeakMap<ModelConstructor, Operation[]>()
const sources = new WeakMap<Registry, OperationSource[]>()

/** Adds an operation to a model and those that extend it. */
export function addOperation(operation: Operation): void {
  const { modelClass } = operation.model
  own.set(modelClass, [...operationsOf(operation.model), operation])
}

/** The operations that code defined for a model, without those of its bases. */
export const operationsOf = ({ modelClass }: ModelType): readonly Operation[] => own.get(modelClass) ?? []

/** Lets `source` add operations to every model of a registry. */
export function addOperationSource(registry: Registry, source: OperationSource): void {
  sources.set(registry, [...operationSourcesOf(registry), source])
}

/** What adds operations to every model of a registry. */
export const operationSourcesOf = (registry: Registry): readonly OperationSource[] => sources.get(registry) ?? []
