import t from 'tap'
import { GeoPoint, parseGeoPoint } from '#src/values/geo-point.ts'

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

t.test('a point knows its text and how far another one is', async (t) => {
  const [berlin, paris] = [new GeoPoint(52.52, 13.405), { lat: 48.8566, lng: 2.3522 }]
  t.equal(String(berlin), '52.52,13.405')
  t.equal(berlin.distanceTo(berlin), 0)
  t.ok(Math.abs(berlin.distanceTo(paris) - 877_500) < 2000)
})
