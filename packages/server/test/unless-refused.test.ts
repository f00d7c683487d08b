import t from 'tap'
import { unlessRefused } from '#src/requests/hooks.ts'
import { ApiError } from '#src/errors.ts'

const failing = (error: Error) => () => {
  throw error
}

t.test('what a client is refused with is an answer', async (t) => {
  t.equal(await unlessRefused(() => 1, 'refused'), 1)
  t.equal(await unlessRefused(async () => 2, 'refused'), 2)
  t.equal(
    await unlessRefused(
      failing(ApiError.of('no such record', { statusCode: 404, code: 'RECORD_NOT_FOUND' })),
      'refused'
    ),
    'refused'
  )
})

t.test('any other error is told', async (t) => {
  for (const error of [
    ApiError.of('the database is away', { statusCode: 503, code: 'DATA_SOURCE_UNAVAILABLE' }),
    new TypeError('a mistake')
  ])
    await t.rejects(unlessRefused(failing(error), 'refused'), error)
})
