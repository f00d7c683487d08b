import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { checkServer, warnWithoutTimeLimit } from '#src/check-before-mounting.ts'

const lenient = { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 2000 }

function warned(options: FastifyServerOptions, times = 1): unknown[] {
  const lines: unknown[] = []
  const stream = {
    write: (line: string) => lines.push((JSON.parse(line) as { routerOptions?: unknown }).routerOptions)
  }
  const app: FastifyInstance = Fastify({ ...options, logger: { level: 'warn', stream } })
  for (let i = 0; i < times; i++) checkServer(app)
  return lines
}

t.test('a server that is stricter than LoopBack is told about once', async (t) => {
  t.strictSame(warned({}, 3), [{ caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1024 }])
  t.strictSame(warned({ routerOptions: { ...lenient, maxParamLength: 100 } }), [{ maxParamLength: 1024 }])
  t.strictSame(warned({ routerOptions: lenient }), [])
})

async function listening(t: Test, options: FastifyServerOptions): Promise<number> {
  const lines: string[] = []
  const app = Fastify({ ...options, logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } })
  t.teardown(() => app.close())
  for (let i = 0; i < 2; i++) warnWithoutTimeLimit(app)
  await app.inject('/')
  t.equal(lines.length, 0, 'nothing is said before it listens')
  await app.listen({ host: '127.0.0.1', port: 0 })
  return lines.filter((line) => line.includes('requestTimeout')).length
}

t.test('a server that listens without a limit of time for requests is told about once', async (t) => {
  t.equal(await listening(t, {}), 1)
  t.equal(await listening(t, { requestTimeout: 1000 }), 0)
})
