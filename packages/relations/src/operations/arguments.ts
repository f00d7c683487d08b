import { type Argument, argument, dataArgument, type ModelType } from '@modelwire/core/plugin'

/** The id of a related record in the path. */
export const fkArgument: Argument = argument(
  'fk',
  'path',
  { kind: 'any' },
  { required: true, isId: true, description: 'Id of the related record' }
)

/** LB3: whether to read again; what is not cached is always read. */
export const refreshArgument: Argument = argument('refresh', 'query', { kind: 'boolean' })

/** A record of `model` in the body, or several. */
export function bodyArgument(model: ModelType, allowArray = false): Argument {
  return { ...dataArgument(model, allowArray), description: `A ${model.name}` }
}
