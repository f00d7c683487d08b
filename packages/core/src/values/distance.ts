import { readOwn } from './read-path.ts'

/** A place on Earth in degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

/** Metres. LB3: its radius; found by asking for the distance at which a record appears, see recording filter/geo. */
export const earthRadius = 6_370_990.56

/** Metres between two points along the surface of the Earth, by the haversine formula. */
export function distanceMetres(from: Point, to: Point): number {
  const northward = Math.sin(radians(to.lat - from.lat) / 2) ** 2
  const eastward = Math.sin(radians(to.lng - from.lng) / 2) ** 2
  const share = northward + eastward * Math.cos(radians(from.lat)) * Math.cos(radians(to.lat))
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, share)))
}

/** The point that `value` is; undefined unless it is an object with a latitude and a longitude. */
export function readPoint(value: unknown): Point | undefined {
  const lat = readOwn(value, 'lat')
  const lng = readOwn(value, 'lng')
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
