import t from 'tap'
import { unlessRefused } from '#src/caller/unless-refused.ts'
import { DataSourceUnavailable, RecordNotFound } from '#src/index.ts'

const failing = (error: Error) => () => {
  throw error
}

t.test('what a client is refused with is an answer', async (t) => {
  t.equal(await unlessRefused(() => 1, 'refused'), 1)
  t.equal(await unlessRefused(async () => 2, 'refused'), 2)
  t.equal(await unlessRefused(failing(new RecordNotFound('no such record')), 'refused'), 'refused')
})

t.test('any other error is told', async (t) => {
  for (const error of [new DataSourceUnavailable('the database is away'), new TypeError('a mistake')])
    await t.rejects(unlessRefused(failing(error), 'refused'), error)
})
