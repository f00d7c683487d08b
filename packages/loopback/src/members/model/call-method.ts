import type { Registry } from '@modelwire/core/plugin'
import { messageOf } from '../../express/script-objects.ts'
import { callBridged, type Outcome } from '../../callback-bridge.ts'

/** How remote methods of scripts are called. */
export interface CallMethodOptions {
  /** Called for methods that call back twice, or fail after they called back. */
  readonly warn: (message: string) => void
}

/** Makes the function that calls remote methods: with a callback appended, which they may use or ignore. */
export function createCallMethod({ warn }: CallMethodOptions): Registry['callMethod'] {
  return async (method, self, args, operation) => {
    const name = `${modelNameOf(self)}.${operation.name}`
    const onSecondAnswer = (): void => warn(`${name} called back twice: only the first call counts`)
    const onLateError = (error: unknown): void => warn(`${name} failed after it called back: ${messageOf(error)}`)
    return valueOf(await callBridged(method, self, args, { onSecondAnswer, onLateError }), operation)
  }
}

/**
 * What core expects: one value, or a list where the method returns several. LB3: a method that calls back without any value is
 * answered by an empty object, and one that gives undefined by none.
 */
function valueOf(outcome: Outcome, operation: Parameters<Registry['callMethod']>[3]): unknown {
  if ('value' in outcome) return outcome.value
  const { results } = outcome
  if (operation.returns.length > 1) return results
  return results.length === 0 && operation.returns[0]?.root === true ? {} : results[0]
}

/** The name of a model or of a record's model, for messages. */
export function modelNameOf(self: unknown): string {
  const owner: unknown = typeof self === 'object' && self !== null ? self.constructor : self
  return typeof owner === 'function' && 'modelName' in owner && typeof owner.modelName === 'string'
    ? owner.modelName
    : 'a model'
}
