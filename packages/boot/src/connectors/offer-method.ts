import type { ModelFunction } from '@modelwire/core/connector'
import { acceptCallback } from '../callback-bridge.ts'

/** Lets a method of a connector that gives a promise take a callback besides, as LoopBack's do. */
export function offerMethod(method: ModelFunction): ModelFunction {
  return acceptCallback(async function (this: unknown, ...args) {
    return method.apply(this, args)
  })
}
