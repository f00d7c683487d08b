import { randomBytes, randomUUID } from 'node:crypto'
import type { PropertyDefinition } from '../definition/property-definition.ts'
import { clonePlain } from '../values/clone-plain.ts'
import { uuidV1 } from '../values/uuid-v1.ts'

const shortIdAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'

/** Ten characters from the URL-safe alphabet: 60 bits of randomness. */
function shortId(): string {
  return Array.from(randomBytes(10), (byte) => shortIdAlphabet[byte & 63]).join('')
}

/** Named default functions. `guid` and `uuid` are time based, as LoopBack's are. */
const namedDefaults: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['guid', uuidV1],
  ['uuid', uuidV1],
  ['uuidv4', () => randomUUID()],
  ['now', () => new Date()],
  ['shortid', shortId]
])

/** Names that `defaultFn` may hold. */
export const defaultFunctionNames: readonly string[] = [...namedDefaults.keys()]

const isMaker = (value: unknown): value is () => unknown => typeof value === 'function'

/** LB3: the default `$now` of a date; of other types it is a text like others. */
const isNow = ({ type, default: value }: PropertyDefinition): boolean =>
  value === '$now' && (type === Date || (typeof type === 'string' && type.toLowerCase() === 'date'))

/**
 * The function that makes a property's default, or undefined where it has none. An unknown name makes none: LoopBack only
 * warns about it, and so does the registry.
 */
export function makeDefault(definition: PropertyDefinition): (() => unknown) | undefined {
  const { defaultFn, default: written, applyDefaultOnWrites = true } = definition
  // LB3: it holds for reads as well, and for `default` alone.
  const value = applyDefaultOnWrites === false ? undefined : written
  if (typeof defaultFn === 'string' && namedDefaults.has(defaultFn)) return namedDefaults.get(defaultFn)
  if (isMaker(defaultFn)) return () => defaultFn()
  if (value === undefined) return undefined
  if (isNow(definition)) return namedDefaults.get('now')
  if (isMaker(value)) return () => value()
  return typeof value === 'object' && value !== null ? () => clonePlain(value) : () => value
}
