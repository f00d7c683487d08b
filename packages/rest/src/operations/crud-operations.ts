import { allowsAggregate, type ModelType, type Operation } from '@modelwire/core/plugin'
import { aggregate } from './aggregate-operation.ts'
import { changeOperations } from './change-operations.ts'
import { changeStreamOperations } from './change-stream-operation.ts'
import { readOperations } from './read-operations.ts'
import { writeOperations } from './write-operations.ts'

const makers = [...readOperations, ...writeOperations, ...changeOperations, ...changeStreamOperations]

/**
 * The predefined operations of a persisted model. A model without data source keeps them all, so that its routes report
 * what is missing; of a connector that cannot do everything only what it can is left.
 * @see tables/persisted-model.json of the conformance data
 */
export function crudOperations(model: ModelType): Operation[] {
  const all = (allowsAggregate(model) ? [...makers, aggregate] : makers).map((make) => make(model))
  const can = model.dataSource?.connector.capabilities.operations
  return can === undefined ? all : all.filter((operation) => (operation.needs ?? []).every((need) => can.has(need)))
}
