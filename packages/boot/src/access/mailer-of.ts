import type { ModelRegistry } from '@modelwire/core'
import type { SendMail } from '@modelwire/users'
import { isFunction } from '../callback-bridge.ts'

/** Sends by the model `Email`; undefined where it has no data source. */
export function mailerOf(registry: ModelRegistry): SendMail | undefined {
  const email = registry.find('Email')
  if (email?.dataSource === undefined) return undefined
  const send: unknown = Reflect.get(email.modelClass, 'send')
  return isFunction(send) ? async (message) => send.call(email.modelClass, message) : undefined
}
