import type { AnyFunction } from './driver.ts'

/**
 * What `juggler.KeyValueAccessObject` is. A connector says by it that it is a key-value store: its models get the methods of
 * `@modelwire/key-value`.
 */
export const keyValueAccess: AnyFunction = function KeyValueAccessObject() {}
