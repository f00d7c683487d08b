/** A place on earth, in degrees. */
export interface GeoPoint {
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

/** Reads `{ lat, lng }`, `[lat, lng]` or `"lat,lng"`; undefined when it is no place on earth. */
export function parseGeoPoint(raw: unknown): GeoPoint | undefined {
  const parts = readParts(raw)
  const lat = parts && degrees(parts[0], 90)
  const lng = parts && degrees(parts[1], 180)
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}
