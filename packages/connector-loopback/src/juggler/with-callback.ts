import { type AnyFunction, isPromiseLike } from './driver.ts'
import { type AnyNode, type Function as FunctionNode, type Options, parseExpressionAt } from 'acorn'

const uncounted: ReadonlySet<string> = new Set(['RestElement', 'AssignmentPattern'])

/** The values that a function called back with, or its promise resolved to. */
export type Results = readonly unknown[]

/**
 * Calls a function with a callback appended. One that declares the callback is done when it calls back: a promise that it
 * also returns only counts if it rejects. One that cannot access a callback is done when it returns, or when its promise
 * settles; for any other one, whichever happens first counts.
 * @param self what `this` is
 */
export function callWithCallback(fn: AnyFunction, self: unknown, args: readonly unknown[]): Promise<Results> {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, ...results: unknown[]): void => {
      if (isFailure(error)) reject(toError(error))
      else resolve(results)
    }
    const declares = fn.length > args.length
    try {
      const returned = fn.apply(self, [...args, callback])
      if (isPromiseLike(returned)) void settle(returned, declares ? () => {} : resolve, reject)
      else if (!declares && !hidesParameters(fn)) resolve([returned])
    } catch (error) {
      reject(toError(error))
    }
  })
}

/** The first value that a function called back with. */
export const firstResult = async (results: Promise<Results>): Promise<unknown> => (await results)[0]

async function settle(
  returned: PromiseLike<unknown>,
  resolve: (results: Results) => void,
  reject: (error: Error) => void
): Promise<void> {
  try {
    resolve([await returned])
  } catch (error) {
    reject(toError(error))
  }
}

/** LoopBack's connectors give anything that counts as true for an error, texts as well. */
const isFailure = (error: unknown): boolean => Boolean(error)

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Calls a callback with the result of a promise. Errors thrown by the callback are uncaught exceptions of the process. */
export async function answer(callback: AnyFunction, promise: Promise<Results>): Promise<void> {
  try {
    const results = await promise
    process.nextTick(() => callback(null, ...results))
  } catch (error) {
    process.nextTick(() => callback(error))
  }
}

/**
 * Whether a function may accept more arguments than its `length`: with rest parameters, defaults, or `arguments`. Also true
 * if its source is unavailable, such as that of a bound one.
 */
export function hidesParameters(fn: AnyFunction): boolean {
  const source = Function.prototype.toString.call(fn)
  // Functions and arrows stand alone, methods in an object.
  return readSource(`(${source})`) ?? readSource(`({${source}})`) ?? true
}

/** Undefined for a text that holds no function. */
function readSource(text: string): boolean | undefined {
  let readsArguments = false
  const onToken: Options['onToken'] = ({ start, end }) => {
    if (text.slice(start, end) === 'arguments') readsArguments = true
  }
  try {
    const found = functionIn(parseExpressionAt(text, 0, { ecmaVersion: 'latest', onToken }))
    return found && (readsArguments || found.params.some(({ type }) => uncounted.has(type)))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function functionIn(node: AnyNode): FunctionNode | undefined {
  if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return node
  const [member] = node.type === 'ObjectExpression' ? node.properties : []
  return member?.type === 'Property' ? functionIn(member.value) : undefined
}
