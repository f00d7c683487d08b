import type { ValueType } from '@modelwire/core/plugin'

/**
 * Where the value of an argument comes from. `json` is a JSON body or a part of one, `computed` the answer of a
 * function; all others are texts, or what brackets made of texts. XML bodies count as `form`.
 */
export type ArgumentSource = 'path' | 'query' | 'header' | 'form' | 'json' | 'computed'

/** A place on earth as an argument of type GeoPoint has it, in degrees. */
export interface GeoPointParts {
  readonly lat: number
  readonly lng: number
}

/** How the values of one argument are converted. */
export interface CoercionOptions {
  /** The argument, for messages. */
  readonly name: string
  readonly source: ArgumentSource
  /** By the rule `readsArgumentsLoosely`. */
  readonly readsLoosely?: boolean | undefined
  /** What separates the items of a list in one text, such as `,`. LoopBack's `arrayItemDelimiters`. */
  readonly delimiters?: readonly (string | RegExp)[] | undefined
  /** Objects may be lists of objects, as the body of `create`. */
  readonly allowArray?: boolean | undefined
  /** The items of such lists may be anything, as in version 2. */
  readonly anyItems?: boolean | undefined
  /** Refuse names of JavaScript's object model in values made of texts; true when absent. Filters check for themselves. */
  readonly refuseNames?: boolean | undefined
  /** Makes the value of a GeoPoint; the parts themselves when absent. */
  readonly makeGeoPoint?: ((parts: GeoPointParts) => unknown) | undefined
}

/**
 * Converts one value; undefined, which stands for absent, stays undefined.
 * @throws {InvalidArgument} the value does not suit the type
 */
export type Coercion = (raw: unknown) => unknown

/** What the converters of one argument share. */
export interface CoercionContext extends CoercionOptions {
  /** Makes the error that names what the argument must be. */
  readonly invalid: (what: string) => Error
}

/** Makes the converter of one kind of type. */
export type CompileCoercion = (type: ValueType, context: CoercionContext) => Coercion

/** The converters of one set of rules, by the kind of the type. */
export type CoercionTable = Readonly<Record<ValueType['kind'], CompileCoercion>>
