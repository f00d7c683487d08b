import { readOwn } from './read-path.ts'

/** A place on Earth in degrees. */
interface Point {
  readonly lat: number
  readonly lng: number
}

/** Metres. LB3: its radius; determined by finding the distance at which a record appears, see recording filter/geo. */
export const earthRadius = 6_370_990.56

/**
 * A place on Earth, in degrees. Scripts receive it as the value of an argument of this type; records contain plain objects.
 * @example
 * ```ts
 * import { GeoPoint } from '@modelwire/core'
 *
 * const lund = new GeoPoint(55.7, 13.2)
 * console.log(Math.round(lund.distanceTo({ lat: 59.9, lng: 10.7 }) / 1000), 'km') // 490 km
 * ```
 */
export class GeoPoint {
  readonly lat: number
  readonly lng: number

  constructor(lat: number, lng: number) {
    this.lat = lat
    this.lng = lng
  }

  /** Metres to another place, along the Earth's surface. */
  distanceTo(other: GeoPointParts): number {
    return distanceMetres(this, other)
  }

  toString(): string {
    return `${this.lat},${this.lng}`
  }
}

/** Latitude and longitude, in degrees. */
export interface GeoPointParts {
  readonly lat: number
  readonly lng: number
}

/** Property order of a point written as a list. */
function readParts(raw: unknown): readonly [unknown, unknown] | undefined {
  if (typeof raw === 'string') return readParts(raw.split(','))
  if (Array.isArray(raw)) return raw.length === 2 ? [raw[0], raw[1]] : undefined
  if (typeof raw !== 'object' || raw === null || !('lat' in raw) || !('lng' in raw)) return undefined
  return [raw.lat, raw.lng]
}

function readDegrees(part: unknown, limit: number): number | undefined {
  const isNumber = typeof part === 'number' || (typeof part === 'string' && part.trim() !== '')
  const number = isNumber ? Number(part) : NaN
  return Math.abs(number) <= limit ? number : undefined
}

/** Parses `{ lat, lng }`, `[lat, lng]` or `"lat,lng"`; undefined if it is not a place on Earth. */
export function parseGeoPoint(raw: unknown): GeoPointParts | undefined {
  const parts = readParts(raw)
  const lat = parts && readDegrees(parts[0], 90)
  const lng = parts && readDegrees(parts[1], 180)
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}

/** Metres between two points along the surface of the Earth, by the haversine formula. */
export function distanceMetres(from: Point, to: Point): number {
  const northward = Math.sin(radians(to.lat - from.lat) / 2) ** 2
  const eastward = Math.sin(radians(to.lng - from.lng) / 2) ** 2
  const share = northward + eastward * Math.cos(radians(from.lat)) * Math.cos(radians(to.lat))
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, share)))
}

/** Reads a value as a point; undefined unless it is an object with a latitude and a longitude. */
export function readPoint(value: unknown): Point | undefined {
  const lat = readOwn(value, 'lat')
  const lng = readOwn(value, 'lng')
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
