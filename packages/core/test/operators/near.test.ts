import t from 'tap'
import { compileOptionalWhere } from '#src/filter/compile-filter.ts'
import { buildModels } from '../build-models.ts'

const model = buildModels([{ name: 'Item', properties: { place: 'geopoint' } }]).typeOf('Item')

function nearOf(place: object): unknown {
  const condition = compileOptionalWhere(model, { place })
  return condition?.kind === 'test' && condition.test === 'near' ? condition.near : condition
}

const origin = { lat: 1, lng: 2 }
const nears: readonly (readonly [written: object, near: object])[] = [
  [{ near: '1,2' }, origin],
  [{ near: ['1', '2'] }, origin],
  [
    { near: origin, maxDistance: 1 },
    { ...origin, maxDistance: 1609.344 }
  ],
  [
    { near: origin, maxDistance: '2', unit: 'kilometers' },
    { ...origin, maxDistance: 2000 }
  ],
  [
    { near: origin, minDistance: 3, maxDistance: 5, unit: 'meters' },
    { ...origin, minDistance: 3, maxDistance: 5 }
  ],
  [
    { near: origin, maxDistance: 10, unit: 'feet' },
    { ...origin, maxDistance: 3.048 }
  ],
  [
    { near: origin, maxDistance: 0 },
    { ...origin, maxDistance: undefined }
  ],
  [
    { near: origin, maxDistance: '' },
    { ...origin, maxDistance: undefined }
  ]
]

t.test('a near has a point and distances in metres', async (t) => {
  for (const [written, near] of nears) t.match(nearOf(written), near, JSON.stringify(written))
})

t.test('radians and degrees are parts of the circle of the Earth', async (t) => {
  const radians = nearOf({ near: origin, maxDistance: Math.PI, unit: 'radians' }) as { maxDistance: number }
  const degrees = nearOf({ near: origin, maxDistance: 180, unit: 'degrees' }) as { maxDistance: number }
  t.ok(Math.abs(radians.maxDistance - degrees.maxDistance) < 1)
  t.ok(Math.abs(radians.maxDistance - 20_015_000) < 10_000)
})

const malformed: readonly object[] = [
  { near: 'x' },
  { near: null },
  { near: { lat: 91, lng: 0 } },
  { near: [1] },
  { near: origin, unit: 'parsecs' },
  { near: origin, unit: 5 },
  { near: origin, unit: 'constructor' },
  { near: origin, maxDistance: 'far' },
  { near: origin, maxDistance: -1 },
  { near: origin, maxDistance: [1] },
  { near: origin, minDistance: {} }
]

t.test('a malformed near is refused', async (t) => {
  for (const written of malformed) {
    t.throws(() => nearOf(written), { code: 'INVALID_FILTER', statusCode: 400 }, JSON.stringify(written))
  }
})
