import t from 'tap'
import type { BootContext } from '#src/extension.ts'
import { bootApp, notesOf } from '../../make-app.ts'

const thing = {
  name: 'Thing',
  acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }],
  relations: { parts: { type: 'hasMany', model: 'Thing' } }
}

void t.test('rules that nobody enforces are told; relations are served', async (t) => {
  const notes = notesOf(await bootApp(t, { 'common/models/thing.json': thing }))
  t.match(notes, [/thing\.json: acls: no script calls app\.enableAuth/])
  t.equal(notes.length, 1)
})

void t.test('a guard enforces rules', async (t) => {
  const packages = {
    name: 'guard',
    beforeModels: ({ registry }: BootContext) => {
      registry.addGuardSource(() => () => {})
    }
  }
  t.strictSame(notesOf(await bootApp(t, { 'common/models/thing.json': thing }, { extensions: [packages] })), [])
})

void t.test('models that nobody reaches are left out', async (t) => {
  const config = { _meta: { sources: ['../common/models'] }, Thing: { dataSource: 'db', public: false } }
  const files = {
    'common/models/thing.json': thing,
    'server/config.json': { restApiRoot: '/api' },
    'server/model-config.json': config
  }
  t.strictSame(notesOf(await bootApp(t, files)), [])
})
