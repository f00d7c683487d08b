import { InvalidOption } from '@modelwire/server'
import t from 'tap'
import { mongodb } from '#src/mongodb.ts'

const refused: readonly (readonly [settings: object, why: RegExp])[] = [
  [{ url: 'mongo://localhost/shop' }, /expected connection string to start with/],
  [{ url: 'mongodb://localhost:port/shop' }, /Unable to parse localhost:port/],
  [{ url: 'mongodb://localhost/shop?retryWrite=true' }, /option retrywrite is not supported/],
  [{ driver: { readConcernLevel: 'majority', nonsense: true } }, /option nonsense is not supported/]
]

void t.test('settings that the driver refuses are named before anything is asked', async (t) => {
  for (const [settings, why] of refused) {
    const error = await t.rejects(mongodb({ ...settings }).connect(), InvalidOption)
    t.match(error, { code: 'OPTION_INVALID', message: why })
  }
})

void t.test('no part of a password that is not encoded is repeated', async (t) => {
  const connecting = mongodb({ url: 'mongodb://ann:p@ss:w/rd@localhost/shop' }).connect()
  const error: unknown = await t.rejects(connecting, { code: 'OPTION_INVALID', message: /percent-encoded/ })
  t.notMatch(String(error), 'ss:w')
  t.equal(error instanceof Error ? error.cause : error, undefined)
})
