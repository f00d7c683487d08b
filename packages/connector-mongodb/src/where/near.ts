import { earthRadius, type Near } from '@modelwire/core/connector'
import type { Document } from 'mongodb'
import type { DocumentMap } from '../document/document-map.ts'
import { pathOf, type Place } from './place.ts'
import { allOf, type Query, some } from '../document/query.ts'

/** The fields of a point's coordinates. */
interface PointFields {
  readonly lat: string
  readonly lng: string
}

function pointFields(place: Place, isGeoJson: boolean): PointFields {
  const path = pathOf(place)
  return isGeoJson
    ? { lat: `${path}.coordinates.1`, lng: `${path}.coordinates.0` }
    : { lat: `${path}.lat`, lng: `${path}.lng` }
}

const isGeoJson = ({ settings }: DocumentMap, { type }: Place): boolean =>
  settings.enableGeoIndexing === true && type?.kind === 'geopoint'

/** Matches the documents with a point within the given distances. */
export function testNear(map: DocumentMap, place: Place, near: Near): Query {
  const { lat, lng } = pointFields(place, isGeoJson(map, place))
  const { minDistance, maxDistance } = near
  const isPoint = some({ [lat]: { $gte: -90, $lte: 90 }, [lng]: { $gte: -180, $lte: 180 } })
  if (minDistance === undefined && maxDistance === undefined) return isPoint
  const distance = distanceExpression(map, place, near)
  const bounds: Document[] = [
    { $ne: [distance, null] },
    ...(minDistance === undefined ? [] : [{ $gte: [distance, minDistance] }]),
    ...(maxDistance === undefined ? [] : [{ $lte: [distance, maxDistance] }])
  ]
  return allOf([isPoint, withinBand(lat, near), some({ $expr: { $and: bounds } })])
}

/** A band of latitudes that an index may serve, a little wider than the circle. */
function withinBand(lat: string, { lat: middle, maxDistance = Infinity }: Near): Query {
  const degrees = ((maxDistance / earthRadius) * 180) / Math.PI + 1e-6
  return degrees < 180 ? some({ [lat]: { $gte: middle - degrees, $lte: middle + degrees } }) : some({})
}

const isNumber = (name: string): Document => ({ $in: [{ $type: name }, ['double', 'int', 'long']] })

const squaredSine = (name: string, from: number): Document => ({
  $pow: [{ $sin: { $divide: [{ $degreesToRadians: { $subtract: [name, from] } }, 2] } }, 2]
})

/**
 * The distance in metres from a point, as `distanceMetres` of core computes it; null if a document has no point. It
 * consists of numbers and field names only: nothing sent by a client is evaluated as an expression.
 */
export function distanceExpression(map: DocumentMap, place: Place, near: Near): Document {
  const inList = isGeoJson(map, place)
  const path = `$${pathOf(place)}`
  const part = (at: number, name: string): unknown =>
    inList
      ? { $arrayElemAt: [{ $cond: [{ $isArray: `${path}.coordinates` }, `${path}.coordinates`, []] }, at] }
      : `${path}.${name}`
  const vars = { lat: part(1, 'lat'), lng: part(0, 'lng') }
  const share = {
    $add: [
      squaredSine('$$lat', near.lat),
      {
        $multiply: [
          squaredSine('$$lng', near.lng),
          Math.cos((near.lat * Math.PI) / 180),
          { $cos: { $degreesToRadians: '$$lat' } }
        ]
      }
    ]
  }
  const metres = { $multiply: [2 * earthRadius, { $asin: { $sqrt: { $min: [1, share] } } }] }
  return { $let: { vars, in: { $cond: [{ $and: [isNumber('$$lat'), isNumber('$$lng')] }, metres, null] } } }
}
