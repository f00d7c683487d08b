import { randomBytes, timingSafeEqual } from 'node:crypto'

/** The keys of an application, in the order in which they are tried. */
export const keyNames = ['clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey'] as const

/** What a key is for. */
export type KeyName = (typeof keyNames)[number]

// As long as LoopBack's, which are digests.
const [idBytes, keyBytes] = [16, 20]

/** A new id: 32 hexadecimal digits. */
export function newApplicationId(): string {
  return randomBytes(idBytes).toString('hex')
}

/** New keys, each of 40 hexadecimal digits. */
export function makeKeys(): Record<KeyName, string> {
  const made = keyNames.map((name) => [name, randomBytes(keyBytes).toString('hex')])
  return Object.fromEntries(made) as Record<KeyName, string> // one entry for each name
}

/** Whether two texts are the same, in constant time. Nothing but texts are the same. */
export function isSameText(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a === '') return false
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
