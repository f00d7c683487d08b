import t from 'tap'
import { bootApp, type Files, notesOf, refusal } from '../make-app.ts'

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
  ['push notifications', withComponents({ 'loopback-component-push': {} }), /push notifications/],
  ['a component of the application', { ...withComponents({ './comp': {} }), 'server/comp.js': '' }, /not run/]
]

for (const [name, files, note] of told) {
  void t.test(`tells of ${name}`, async (t) => {
    t.match(notesOf(await bootApp(t, files)), [note])
  })
}

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
