/** A function of a script: its last parameter may be a callback. */
export type ScriptFunction = (...args: unknown[]) => unknown

/** True for functions of scripts. */
export function isFunction(value: unknown): value is ScriptFunction {
  return typeof value === 'function'
}
