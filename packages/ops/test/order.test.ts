import { modelwire } from '@modelwire/core'
import { rest } from '@modelwire/rest'
import Fastify from 'fastify'
import t from 'tap'
import { ops, type OpsOptions } from '#src/index.ts'

/** What is logged where `ops` comes after `rest`. */
async function warningsOf(options: OpsOptions): Promise<string> {
  const logged: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => logged.push(line) } } })
  await app.register(modelwire, {})
  await app.register(rest)
  await app.register(ops, options)
  await app.close()
  return logged.join('')
}

t.test('what comes after rest and would measure nothing says so', async (t) => {
  t.match(await warningsOf({ metrics: true }), /neither measured nor traced/)
  t.notMatch(await warningsOf({}), /measured/, 'health does not depend on the order')
})

t.test('metrics at the port of the API say that everybody reads them', async (t) => {
  t.match(
    await warningsOf({ metrics: true, basePath: '/inner' }),
    /anyone who can reach the API can read \/inner\/metrics/
  )
  for (const options of [{}, { port: 0 }, { metrics: false }])
    t.notMatch(await warningsOf(options), /can reach the API/, JSON.stringify(options))
})
