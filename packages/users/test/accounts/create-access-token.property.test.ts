import { ApiError, type Model } from '@modelwire/core'
import * as fc from 'fast-check'
import t from 'tap'
import { makeApp } from '../make-app.ts'

const [week, day] = [604_800, 86_400]

/** What of JSON a client may send as `ttl`; `login` takes no structure. */
const asked = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.string(),
  fc.boolean(),
  fc.constantFrom(null, undefined, -1, 0, '12', '1e999', '-Infinity', '0x10', Infinity, -Infinity)
)

/** LB3: what says nothing is the setting, and everything else is cut to the longest life. */
function model(given: unknown): number {
  const wanted = Number(given || day)
  return Math.min(Number.isNaN(wanted) ? day : wanted, week)
}

void t.test('a token lives for a finite time, and for no longer than the model allows', async (t) => {
  const app = await makeApp(t, { customer: { ttl: day, maxTTL: week } })
  const user = await app.models.get('Customer').create({ email: 'ann@shop.org', password: 'secret' })
  const create: unknown = Reflect.get(user, 'createAccessToken')
  // The plugin adds it to the records of every user model.
  const createAccessToken = create as (this: object, ttl: unknown) => Promise<Model>
  await fc.assert(
    fc.asyncProperty(asked, async (given) => {
      const expected = model(given)
      try {
        const { ttl } = await createAccessToken.call(user, given)
        return ttl === expected && Number.isFinite(ttl)
      } catch (error) {
        return error instanceof ApiError && error.statusCode === 422 && expected === -Infinity
      }
    })
  )
})
