import t from 'tap'
import { listenOptions } from '#src/index.ts'
import { bootApp } from './make-app.ts'

const config = { host: '127.0.0.1', port: 4000 }
const cases: [string, object, Record<string, string>, object][] = [
  ['the configuration', config, {}, config],
  ['the environment first', config, { HOST: '::1', PORT: '5000' }, { host: '::1', port: 5000 }],
  ["LoopBack's defaults last", {}, {}, { host: '0.0.0.0', port: 3000 }]
]

for (const [name, settings, variables, expected] of cases) {
  void t.test(`takes ${name}`, async (t) => {
    const server = await bootApp(t, { 'server/config.json': settings })
    t.strictSame(listenOptions(server, variables), expected)
  })
}
