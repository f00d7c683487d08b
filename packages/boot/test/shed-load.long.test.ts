import { until } from '@modelwire/test-waits'
import t from 'tap'
import { bootApp, refusal, usualFiles } from './make-app.ts'

/** Every process has more than one byte. */
const measured = { rss: 1, retryAfter: 7 }

void t.test('a server over its limit refuses with 503 and Retry-After, in the form of other errors', async (t) => {
  const config = { ...Object(usualFiles['server/config.json']), loadShedding: measured }
  for (const server of [
    await bootApp(t, {}, { loadShedding: measured }),
    await bootApp(t, { 'server/config.json': config })
  ]) {
    // It measures once a second.
    await until(async () => (await server.inject('/nope')).statusCode === 503, 'the load to be measured')
    for (const url of ['/api/Things', '/nope']) {
      const answer = await server.inject(url)
      t.equal(answer.statusCode, 503)
      t.equal(answer.headers['retry-after'], '7')
      t.strictSame(answer.json(), {
        error: {
          statusCode: 503,
          message: 'Service Unavailable',
          code: 'SERVER_OVERLOADED'
        }
      })
    }
  }
})

void t.test('a server within its limits, or without any, answers', async (t) => {
  for (const loadShedding of [{ eventLoopDelay: 1e6, heapUsed: 1e12 }, { eventLoopDelay: 0 }, undefined])
    t.equal((await (await bootApp(t, {}, loadShedding && { loadShedding })).inject('/api/Things')).statusCode, 200)
})

void t.test('a malformed limit stops the start', async (t) => {
  for (const wrong of [{ rss: -1 }, { eventLoopDelay: '1s' }, { retryAfter: 0 }, { x: 1 }]) {
    const key = `loadShedding.${Object.keys(wrong)[0]}`
    await t.rejects(bootApp(t, {}, { loadShedding: wrong as object }), { code: 'OPTION_INVALID', where: { key } })
    const config = { ...Object(usualFiles['server/config.json']), loadShedding: wrong }
    t.match(await refusal(t, { 'server/config.json': config }), { code: 'CONFIG_VALUE_INVALID', key })
  }
})
