import type { Model } from '@modelwire/core'
import { callWithOptions } from '../verification/call-with-options.ts'
import type { AccountParts, Method } from './account-parts.ts'

const isMethod = (value: unknown): value is Method => typeof value === 'function'

/** Calls a method of a record or class by its name, so that one of the application's own is obeyed. */
export async function callOwn(
  { call }: Pick<AccountParts, 'call'>,
  owner: Model | typeof Model,
  name: string,
  args: readonly unknown[]
): Promise<unknown> {
  const method: unknown = Reflect.get(owner, name)
  return isMethod(method) ? call(method, owner, args) : undefined
}

/** As `callOwn`, for a method that takes options if it has a place for them. */
export async function callOwnWithOptions(
  parts: Pick<AccountParts, 'call'>,
  owner: Model | typeof Model,
  name: string,
  args: readonly [first: unknown, options: unknown]
): Promise<unknown> {
  const method: unknown = Reflect.get(owner, name)
  return isMethod(method) ? callWithOptions(parts, method, owner, args) : undefined
}
