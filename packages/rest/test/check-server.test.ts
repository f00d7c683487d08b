import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t from 'tap'
import { checkServer } from '#src/check-server.ts'

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
