import type { GeoPointParts } from './coercion.ts'

/**
 * The place that `raw` describes: `"lat,lng"`, `[lat, lng]` or `{ lat, lng }`; undefined when it is none. Numbers
 * within a list or an object may be texts when `loose`.
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
