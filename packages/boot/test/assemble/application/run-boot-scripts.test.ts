import t from 'tap'
import { bootApp, notesOf, refusal } from '../../make-app.ts'

const note = (text: string): string => `app.set('log', (app.get('log') || []).concat('${text}'))`

void t.test('runs scripts in alphabetical order, one after the other', async (t) => {
  const server = await bootApp(t, {
    'server/boot/9.js': `module.exports = app => { ${note('9')} }`,
    'server/boot/10.js': `module.exports = app => { ${note('10')} }`,
    'server/boot/b.js': `module.exports = (app, done) => setImmediate(() => { ${note('b')}; done() })`,
    'server/boot/a.js': `module.exports = async app => { await null; ${note('a')} }`,
    'server/boot/Ab.cjs': `module.exports = app => { ${note('Ab')} }`,
    'server/boot/c.mjs': `export default app => { ${note('c')} }`,
    'server/boot/deep/x.js': `module.exports = app => { ${note('deep')} }`,
    'server/boot/data.json': {}
  })
  t.strictSame(server.loopback.get('log'), ['10', '9', 'a', 'Ab', 'b', 'c'])
  t.equal(server.loopback.booting, false)
})

void t.test('records can be read and written', async (t) => {
  const server = await bootApp(t, {
    'server/boot/seed.js': 'module.exports = app => app.models.Thing.create({ label: "seeded" })'
  })
  t.match((await server.inject('/api/Things')).json(), [{ label: 'seeded' }])
})

void t.test('hidden files and scripts without a function are told', async (t) => {
  const server = await bootApp(t, { 'server/boot/.x.js': 'throw 1', 'server/boot/y.js': '' })
  t.match(notesOf(server), [/boot\/\.x\.js: /, /boot\/y\.js: /])
})

const failing: [string, string][] = [
  ['throws', 'module.exports = () => { throw new Error("no") }'],
  ['rejects', 'module.exports = async () => { throw new Error("no") }'],
  ['calls back with an error', 'module.exports = (app, done) => done(new Error("no"))'],
  ['cannot be loaded', 'module.exports = (']
]
for (const [name, script] of failing) {
  void t.test(`refuses an application whose script ${name}`, async (t) => {
    t.strictSame(await refusal(t, { 'server/boot/a.js': script }), { code: 'SCRIPT_FAILED', file: 'server/boot/a.js' })
  })
}

void t.test('booted and started are announced', async (t) => {
  const script = `module.exports = app => { app.once('booted', () => { ${note('booted')} }); app.on('started', () => { ${note('started')} }) }`
  const server = await bootApp(t, { 'server/boot/a.js': script })
  t.strictSame(server.loopback.get('log'), ['booted'])
  t.equal(server.loopback.get('url'), undefined)
})
