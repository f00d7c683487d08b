import { type Argument, argument, describeOperation, type Operation, predefinedMethods } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

/** Makes a predefined operation for one model. */
export type MakeOperation = (model: ModelType) => Operation

/** Completes the facts to a predefined operation of `model`: its other names and what it does are fixed. */
export function describePredefined(
  model: ModelType,
  name: keyof typeof predefinedMethods,
  facts: Omit<Parameters<typeof describeOperation>[1], 'name' | 'aliases' | 'effect' | 'accessType'>
): Operation {
  return describeOperation(model, { ...facts, ...predefinedMethods[name], name })
}

/** The id in the path. */
export const idArgument: Argument = argument(
  'id',
  'path',
  { kind: 'any' },
  { required: true, isId: true, description: 'Model id' }
)
