import { distanceMetres } from './distance.ts'

/** A place on earth, in degrees. Scripts get it as the value of an argument of this type; records hold plain objects. */
export class GeoPoint {
  readonly lat: number
  readonly lng: number

  constructor(lat: number, lng: number) {
    this.lat = lat
    this.lng = lng
  }

  /** Metres to another place, along the earth's surface. */
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

function degrees(part: unknown, limit: number): number | undefined {
  const isNumber = typeof part === 'number' || (typeof part === 'string' && part.trim() !== '')
  const number = isNumber ? Number(part) : NaN
  return Math.abs(number) <= limit ? number : undefined
}

/** Reads `{ lat, lng }`, `[lat, lng]` or `"lat,lng"`; undefined when it is not a place on earth. */
export function parseGeoPoint(raw: unknown): GeoPointParts | undefined {
  const parts = readParts(raw)
  const lat = parts && degrees(parts[0], 90)
  const lng = parts && degrees(parts[1], 180)
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}
