import type { AccountParts, Method } from '../accounts/account-parts.ts'

/**
 * Calls a function of the application that takes one thing, options if it has a place for them, and a callback.
 * LB3: one of two parameters takes the callback second.
 */
export async function callWithOptions(
  { call }: Pick<AccountParts, 'call'>,
  method: Method,
  self: unknown,
  [first, options]: readonly [first: unknown, options: unknown]
): Promise<unknown> {
  return call(method, self, method.length === 2 ? [first] : [first, options])
}
