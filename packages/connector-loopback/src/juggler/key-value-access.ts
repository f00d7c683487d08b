import type { AnyFunction } from './driver.ts'

/**
 * What `juggler.KeyValueAccessObject` is. It marks a connector as a key-value store: its models get the methods of
 * `@modelwire/key-value`.
 */
export const keyValueAccess: AnyFunction = function KeyValueAccessObject() {}
