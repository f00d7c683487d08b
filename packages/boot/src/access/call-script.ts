import { callBridged, type ScriptFunction } from '../callback-bridge.ts'

/** Calls a function that may be a script's, with a callback appended; gives what it calls back with or returns. */
export async function callScript(fn: ScriptFunction, self: unknown, args: readonly unknown[]): Promise<unknown> {
  const outcome = await callBridged(fn, self, args)
  return 'value' in outcome ? outcome.value : outcome.results[0]
}
