import type { ValueType } from '@modelwire/core/connector'

/**
 * Where the value of an argument comes from. `json` is a JSON body or a part of one, `computed` the result of a function;
 * all others are strings, or what brackets made from strings. XML bodies count as `form`.
 */
export type ArgumentSource = 'path' | 'query' | 'header' | 'form' | 'json' | 'computed'

/** A place on Earth in an argument of type GeoPoint, in degrees. */
export interface GeoPointParts {
  readonly lat: number
  readonly lng: number
}

/** How the values of one argument are converted. */
export interface CoercionOptions {
  /** The name of the argument, for messages. */
  readonly name: string
  readonly source: ArgumentSource
  /** Set by the rule `readsArgumentsLoosely`. */
  readonly readsLoosely?: boolean | undefined
  /** Set by the rule `readsDatesInZone`. */
  readonly readsDatesInZone?: boolean | undefined
  /** Separators of list items in one string, such as `,`. LoopBack's `arrayItemDelimiters`. */
  readonly delimiters?: readonly (string | RegExp)[] | undefined
  /** Objects may be lists of objects, as in the body of `create`. */
  readonly allowArray?: boolean | undefined
  /** The items of such lists may be anything, as in version 2. */
  readonly anyItems?: boolean | undefined
  /** Refuse names of JavaScript's object model in values made from strings; true when absent. Filters check for themselves. */
  readonly refuseNames?: boolean | undefined
  /** Creates the value of a GeoPoint; the parts themselves when absent. */
  readonly makeGeoPoint?: ((parts: GeoPointParts) => unknown) | undefined
}

/**
 * Converts one value; undefined, which means absent, stays undefined.
 * @throws {InvalidArgument} the value does not suit the type
 */
export type Coercion = (raw: unknown) => unknown

/** What the converters of one argument share. */
export interface CoercionContext extends CoercionOptions {
  /** Makes the error that names the expected type. */
  readonly invalid: (what: string) => Error
}

/** Makes the converter of one kind of type. */
export type CompileCoercion = (type: ValueType, context: CoercionContext) => Coercion

/** The converters of one set of rules, by type kind. */
export type CoercionTable = Readonly<Record<ValueType['kind'], CompileCoercion>>

/**
 * Reads a place: `"lat,lng"`, `[lat, lng]` or `{ lat, lng }`; undefined if it is invalid. Numbers within a list or an
 * object may be strings if `loose`.
 */
export function readGeoPoint(raw: unknown, loose: boolean): GeoPointParts | undefined {
  if (typeof raw === 'string') return fromList(raw.split(','), true)
  if (Array.isArray(raw)) return fromList(raw, loose)
  if (typeof raw !== 'object' || raw === null || !('lat' in raw) || !('lng' in raw)) return undefined
  return fromList([raw.lat, raw.lng], loose)
}

function fromList(list: readonly unknown[], loose: boolean): GeoPointParts | undefined {
  if (list.length !== 2) return undefined
  const lat = degrees(list[0], 90, loose)
  const lng = degrees(list[1], 180, loose)
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}

function degrees(part: unknown, most: number, loose: boolean): number | undefined {
  const number = loose && typeof part === 'string' && part.trim() !== '' ? Number(part) : part
  return typeof number === 'number' && Math.abs(number) <= most ? number : undefined
}
