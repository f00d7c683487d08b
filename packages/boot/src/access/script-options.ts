import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import { isFunction } from '../callback-bridge.ts'

const name = 'createOptionsFromRemotingContext'

const functionOf = ({ modelClass }: ModelType): unknown => Reflect.get(modelClass, name)

/**
 * Lets the functions of scripts make the options of clients' calls, where some model has one.
 * @see LoopBack 3: loopback, lib/model.js, createOptionsFromRemotingContext
 */
export function honourScriptOptions(registry: ModelRegistry): void {
  const original: unknown = Reflect.get(registry.rootClass, name)
  const replaces = (model: ModelType): boolean => functionOf(model) !== original
  if (!registry.names().some((each) => replaces(registry.typeOf(each)))) return
  registry.optionsOfCall = (context) => {
    const { model } = context.operation
    const make = functionOf(model)
    if (!replaces(model) || !isFunction(make)) return undefined
    return { ...Object(make.call(model.modelClass, context)) } as Readonly<Record<string, unknown>> // a copy of an object
  }
}
