import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../../make-app.ts'

const withComponents = (components: object): Files => ({ 'server/component-config.json': components })

void t.test('sets a component up with its parameters, and its settings for scripts', async (t) => {
  const seen: unknown[] = []
  const explorer = (
    context: { app: { get: (name: string) => unknown } },
    params: object
  ): { afterRest: () => void } => {
    seen.push(params, context.app.get('my-explorer'))
    return { afterRest: () => void seen.push('after') }
  }
  const files = withComponents({ 'my-explorer': { mountPath: '/explorer', root: '${restApiRoot}' } })
  await bootApp(t, files, { components: { 'my-explorer': explorer } })
  const params = { mountPath: '/explorer', root: '/api' }
  t.strictSame(seen, [params, params, 'after'])
})

const told: [string, Files, RegExp][] = [
  ['push notifications', withComponents({ 'loopback-component-push': {} }), /push notifications/]
]

for (const [name, files, note] of told) {
  void t.test(`tells of ${name}`, async (t) => {
    t.match(notesOf(await bootApp(t, files)), [note])
  })
}

void t.test('runs components of the application, and of packages beside it, with their parameters', async (t) => {
  const script = `module.exports = function(app, options) {
    app.get('/' + options.name, function(req, res) { res.send(app.get(options.setting).name) })
  }`
  const server = await bootApp(t, {
    ...withComponents({
      './comp': { name: 'own', setting: './comp' },
      'a-component': { name: 'packaged', setting: 'a-component' }
    }),
    'server/comp.js': script,
    'node_modules/a-component/index.js': script
  })
  t.equal((await server.inject('/own')).body, 'own')
  t.equal((await server.inject('/packaged')).body, 'packaged')
})

void t.test('a component that fails stops the start, and the file is named', async (t) => {
  const files = {
    ...withComponents({ './comp': {} }),
    'server/comp.js': 'module.exports = () => { throw new Error() }'
  }
  t.strictSame(await refusal(t, files), { code: 'SCRIPT_FAILED', file: 'server/component-config.json' })
})

void t.test('true is a component without parameters', async (t) => {
  let given: unknown
  await bootApp(t, withComponents({ own: true }), { components: { own: (_context, params) => void (given = params) } })
  t.strictSame(given, {})
})

void t.test('null and false leave a component out', async (t) => {
  t.strictSame(notesOf(await bootApp(t, withComponents({ a: null, b: false }))), [])
})

void t.test('refuses a component that is neither known nor installed', async (t) => {
  const file = 'server/component-config.json'
  t.strictSame(await refusal(t, withComponents({ nowhere: {} })), { code: 'COMPONENT_UNKNOWN', file, key: 'nowhere' })
  t.strictSame(await refusal(t, withComponents({ nowhere: 1 })), { code: 'CONFIG_VALUE_INVALID', file, key: 'nowhere' })
})
