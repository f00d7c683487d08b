import type { CallMethod, Operation } from '@modelwire/core'
import { callBridged, type Outcome } from './callback-bridge.ts'
import { MethodTimeout } from './errors.ts'

/** How remote methods of scripts are called. */
export interface CallMethodOptions {
  /** Milliseconds after which a method that does not answer is given up; 0 waits forever. */
  readonly timeout: number
  /** Hears of methods that answer twice. */
  readonly warn: (message: string) => void
}

/**
 * Makes the function that calls remote methods: with a callback appended, which they may use or leave alone.
 * @throws {MethodTimeout} (the function) the method does not answer in time
 */
export function createCallMethod({ timeout, warn }: CallMethodOptions): CallMethod {
  return async (method, self, args, operation) => {
    const name = `${modelNameOf(self)}.${operation.name}`
    const onSecondAnswer = (): void => warn(`${name} answered twice: the first answer counts`)
    const outcome = callBridged(method, self, args, { onSecondAnswer })
    return valueOf(await (timeout === 0 ? outcome : within(timeout, outcome, name)), operation)
  }
}

/** What core expects: one value, or a list where the method returns several. */
function valueOf(outcome: Outcome, operation: Operation): unknown {
  if ('value' in outcome) return outcome.value
  const { results } = outcome
  return operation.returns.length > 1 ? results : results[0]
}

async function within<Value>(milliseconds: number, promise: Promise<Value>, name: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new MethodTimeout(`${name} did not answer within ${milliseconds} ms`)),
      milliseconds
    )
  })
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function modelNameOf(self: unknown): string {
  const owner: unknown = typeof self === 'object' && self !== null ? self.constructor : self
  return typeof owner === 'function' && 'modelName' in owner && typeof owner.modelName === 'string'
    ? owner.modelName
    : 'a model'
}
