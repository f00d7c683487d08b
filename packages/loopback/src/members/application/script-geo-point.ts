import { ScriptArgumentInvalid } from '../../errors.ts'
import { GeoPoint } from '@modelwire/core'
import { parseGeoPoint } from '@modelwire/core/plugin'

/** Metres of LoopBack's units. */
const units: Readonly<Record<string, number>> = {
  kilometers: 1000,
  meters: 1,
  miles: 1609.344,
  feet: 0.3048,
  radians: 6_370_990.56,
  degrees: (6_370_990.56 * Math.PI) / 180
}

interface DistanceOptions {
  readonly type?: string
}

function readPoint(lat: unknown, lng: unknown): Pick<GeoPoint, 'lat' | 'lng'> {
  const point = parseGeoPoint(lng === undefined ? lat : [lat, lng])
  if (point !== undefined) return point
  throw new ScriptArgumentInvalid('a GeoPoint requires a latitude from -90 to 90 and a longitude from -180 to 180')
}

/** @throws {ScriptArgumentInvalid} there is no such unit */
function distance(from: unknown, to: unknown, { type = 'miles' }: DistanceOptions = {}): number {
  const unit = units[type]
  if (unit === undefined) throw new ScriptArgumentInvalid(`unknown unit of distance "${type}"`, { key: 'type' })
  const { lat, lng } = readPoint(from, undefined)
  return new GeoPoint(lat, lng).distanceTo(readPoint(to, undefined)) / unit
}

/** `loopback.GeoPoint`: distances are in miles unless `type` names another unit. */
class ScriptGeoPoint extends GeoPoint {
  constructor(lat?: unknown, lng?: unknown) {
    const point = readPoint(lat, lng)
    super(point.lat, point.lng)
  }

  static distanceBetween(one: unknown, other: unknown, options?: DistanceOptions): number {
    return distance(one, other, options)
  }

  override distanceTo(other: Pick<GeoPoint, 'lat' | 'lng'>, options?: DistanceOptions): number {
    return distance(this, other, options)
  }

  /** Points that clients send count as well. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(GeoPoint, value)
  }
}

// Definitions of scripts use the class as a type, by its name.
Object.defineProperty(ScriptGeoPoint, 'name', { value: 'GeoPoint' })

export { ScriptGeoPoint }
