import t from 'tap'
import { listenOptions } from '#src/listen-options.ts'
import { bootApp } from './make-app.ts'

// What LoopBack 3.28 hands to the server of Node; `host` of '' stands for Node's own default.
const config = { host: '127.0.0.1', port: 4000 }
const every = ''
const cases: [string, object, Record<string, string>, string, object][] = [
  ['the configuration', config, {}, '', config],
  ['the environment first', config, { HOST: '::1', PORT: '5000' }, '', { host: '::1', port: 5000 }],
  [
    'older names of the environment before it',
    config,
    { npm_config_port: '6000', PORT: '5000' },
    '',
    { ...config, port: 6000 }
  ],
  ['no empty variable', config, { HOST: '', PORT: '' }, '', config],
  ["LoopBack's default port, and every address", {}, {}, '', { host: every, port: 3000 }],
  [
    'what scripts set, whatever the environment says',
    config,
    { PORT: '5000' },
    "app.set('port', 4444)",
    { ...config, port: 4444 }
  ],
  [
    'what the script tells app.listen',
    config,
    { PORT: '5000', HOST: '::1' },
    "app.listen(4000, 'localhost')",
    { host: 'localhost', port: 4000 }
  ],
  ['every address where app.listen is told a port alone', config, {}, 'app.listen(4001)', { host: every, port: 4001 }],
  ['any port where app.listen is told an undefined one', config, {}, 'app.listen(undefined)', { host: every, port: 0 }],
  ['the configuration where it is told a callback alone', config, {}, 'app.listen(() => {})', config],
  ['an object', config, {}, 'app.listen({ port: 4002, host: "::1" })', { host: '::1', port: 4002 }]
]

for (const [name, settings, variables, script, expected] of cases) {
  void t.test(`takes ${name}`, async (t) => {
    const files = { 'server/config.json': settings, 'server/boot/a.js': `module.exports = app => { ${script} }` }
    const found = listenOptions(await bootApp(t, files, { variables }))
    t.match({ ...found, host: /^(::|0\.0\.0\.0)$/.test(found.host) ? every : found.host }, expected)
  })
}

void t.test('a socket of Unix has a path', async (t) => {
  const server = await bootApp(t, {
    'server/boot/a.js': "module.exports = app => app.listen('/tmp/x.sock') && undefined"
  })
  t.equal(listenOptions(server).path, '/tmp/x.sock')
})
