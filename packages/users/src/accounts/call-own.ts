import type { Model } from '@modelwire/core'
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
