import t from 'tap'
import { makeApp } from '../make-app.ts'
import { testPaths } from './path-rows-tests.ts'
import { modelsOf } from './paths.ts'

testPaths('memory')

for (const rows of [
  'nothing',
  'shelf',
  'shelf.items',
  'organisation.nothing',
  'shared',
  'shares.shared',
  'label',
  '.',
  'owner.'
])
  void t.test(`a path that leads to no user stops the start: ${rows}`, async (t) => {
    const item = {
      relations: {
        organisation: { type: 'belongsTo', model: 'Organisation', foreignKey: 'organisationId' },
        owner: { type: 'belongsTo', model: 'User', foreignKey: 'ownerId' },
        shared: { type: 'belongsTo', polymorphic: true },
        shares: { type: 'hasMany', model: 'Share', polymorphic: 'shared' }
      }
    }
    const starting = async (): Promise<void> => {
      const app = await makeApp(t, modelsOf(rows, item))
      await app.ready()
    }
    await t.rejects(starting(), { code: 'ACCESS_RULE_INVALID', where: { model: 'Item', key: 'acls.1.rows' } })
  })
