import t from 'tap'
import type { Condition } from '#src/contract/condition.ts'
import { distanceMetres, readPoint } from '#src/values/geo-point.ts'
import { findNear, sortByDistance } from '#src/filter/order.ts'

const lund = { lat: 55.7, lng: 13.2 }
const oslo = { lat: 59.9, lng: 10.7 }

void t.test('distances agree with those of LoopBack 3', async (t) => {
  // Found by asking LoopBack for the smallest maxDistance that finds the record, see recording filter/geo.
  t.equal(Math.round(distanceMetres(lund, oslo)), 489_860)
  t.equal(distanceMetres(lund, lund), 0)
  t.equal(Math.round(distanceMetres({ lat: 0, lng: 0 }, { lat: 0, lng: 180 })), 20_015_057)
  t.equal(Math.round(distanceMetres({ lat: 90, lng: 0 }, { lat: 90, lng: 120 })), 0)
})

void t.test('a point is an object with a latitude and a longitude', async (t) => {
  t.same(readPoint({ lat: 1, lng: 2, extra: 3 }), { lat: 1, lng: 2 })
  for (const value of [
    null,
    undefined,
    'x',
    5,
    {},
    { lat: 1 },
    { lat: '1', lng: '2' },
    { lat: 91, lng: 0 },
    { lat: 0, lng: 181 },
    { lat: NaN, lng: 0 },
    []
  ]) {
    t.equal(readPoint(value), undefined)
  }
})

void t.test('rows come from the nearest to the farthest, those without a point last', async (t) => {
  const rows = [
    { id: 1 },
    { id: 2, at: oslo },
    { id: 3, at: lund },
    { id: 4, at: oslo },
    { id: 5, at: 'x' },
    { id: 6, at: [oslo, lund] }
  ]
  const near = { path: ['at'], value: lund }
  t.same(
    sortByDistance(rows, near).map(({ id }) => id),
    [3, 6, 2, 4, 1, 5]
  )
})

const nearLatitude = (lat: number): Condition => ({
  kind: 'test',
  path: ['at'],
  test: 'near',
  near: { lat, lng: 0 }
})

void t.test('the first near of a condition decides', async (t) => {
  const other: Condition = { kind: 'test', path: ['v'], test: 'equals', value: 1 }
  t.equal(findNear(undefined), undefined)
  t.equal(findNear({ kind: 'never' }), undefined)
  t.equal(findNear({ kind: 'and', conditions: [other] }), undefined)
  t.match(
    findNear({ kind: 'and', conditions: [other, { kind: 'or', conditions: [nearLatitude(1), nearLatitude(2)] }] }),
    {
      path: ['at'],
      value: { lat: 1 }
    }
  )
})
