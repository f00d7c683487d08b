import t from 'tap'
import { parseGeoPoint } from '#src/values/geo-point.ts'

const points: readonly (readonly [raw: unknown, point: object | undefined])[] = [
  [
    { lat: 1, lng: 2 },
    { lat: 1, lng: 2 }
  ],
  [
    { lat: '1', lng: ' 2 ', more: true },
    { lat: 1, lng: 2 }
  ],
  ['1, 2', { lat: 1, lng: 2 }],
  [[1, '2'], { lat: 1, lng: 2 }],
  [['', ''], undefined],
  [[null, null], undefined],
  [[true, false], undefined],
  [[NaN, 0], undefined],
  [[Infinity, 0], undefined],
  [{ lat: [1], lng: [2] }, undefined],
  [null, undefined],
  [undefined, undefined],
  ['', undefined]
]

t.test('points are read in three forms and nothing else is one', async (t) => {
  for (const [raw, point] of points) t.strictSame(parseGeoPoint(raw), point, JSON.stringify(raw))
})
