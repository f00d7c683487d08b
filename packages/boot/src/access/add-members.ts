import type { ModelType } from '@modelwire/core/plugin'

/** Gives the class of a model members that scripts use, and may replace. What a script of the model put there stays. */
export function addMembers(model: ModelType | undefined, members: Readonly<Record<string, unknown>>): void {
  if (model === undefined) return
  for (const [name, value] of Object.entries(members).filter(([key]) => !Object.hasOwn(model.modelClass, key)))
    Object.defineProperty(model.modelClass, name, { value, writable: true, configurable: true })
}
