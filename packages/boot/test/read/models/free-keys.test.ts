import t from 'tap'
import { bootApp, notesOf } from '../../make-app.ts'

// LoopBack 3.28 starts with each of them, and scripts find them in Model.settings.
const shapes: [string, unknown, boolean][] = [
  ['acls', { read: 'admin' }, true],
  ['acls', ['admin'], true],
  ['acls', [{ principalType: 'ROLE', principalId: ['a', 'b'], permission: 'ALLOW' }], true],
  ['validations', ['required'], true],
  ['validations', { label: { max: 5 } }, true],
  ['validations', 'strict', true],
  ['validations', [], false],
  ['relations', [], false],
  ['mixins', [], false],
  ['anything', 'own', false]
]
for (const [key, value, isTold] of shapes) {
  void t.test(`${key} of the shape ${JSON.stringify(value)} is kept for scripts`, async (t) => {
    const server = await bootApp(t, {
      'common/models/thing.json': { name: 'Thing', properties: { label: 'string' }, [key]: value },
      'common/models/thing.js': `module.exports = Thing => { Thing.seen = Thing.settings.${key} }`
    })
    t.strictSame(Reflect.get(Object(server.loopback.models['Thing']), 'seen'), value)
    t.equal(
      notesOf(server).some((note) => note.startsWith(`common/models/thing.json: ${key}: `)),
      isTold
    )
    t.equal((await server.inject('/api/Things')).statusCode, 200)
  })
}

void t.test('rules beside what is none hold', async (t) => {
  const deny = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
  const server = await bootApp(t, {
    'common/models/thing.json': { name: 'Thing', acls: ['own', deny] },
    'server/boot/a.js': 'module.exports = app => app.enableAuth()'
  })
  t.equal((await server.inject('/api/Things')).statusCode, 401)
})
