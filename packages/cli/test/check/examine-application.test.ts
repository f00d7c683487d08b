import t from 'tap'
import { examineApplication } from '#src/check/index.ts'
import { makeFolder, noteApp } from '../make-folder.ts'

t.test('an examination does not fail for variables that are set where the application runs', async (t) => {
  const files = {
    ...noteApp,
    'server/config.json': { restApiRoot: '/api', strictVariables: true },
    'server/datasources.json': { db: { connector: 'memory', host: '${NOPE}' } }
  }
  const { findings } = await examineApplication({ dir: makeFolder(t, files), variables: {} })
  t.match(
    findings.find(({ reason }) => reason.includes('NOPE')),
    { effect: 'info' }
  )
})

t.test('relations that share their links are listed', async (t) => {
  const tags = { type: 'hasAndBelongsToMany', model: 'Tag' }
  const files = {
    ...noteApp,
    'common/models/Person.json': { name: 'Person', base: 'PersistedModel', relations: { liked: tags, disliked: tags } },
    'common/models/Tag.json': { name: 'Tag', base: 'PersistedModel' },
    'server/model-config.json': {
      _meta: { sources: ['../common/models'] },
      Person: { dataSource: 'db' },
      Tag: { dataSource: 'db' }
    }
  }
  const { findings } = await examineApplication({ dir: makeFolder(t, files), variables: {} })
  t.match(
    findings.filter(({ reason }) => reason.includes('share their links')),
    [{ effect: 'info', file: /Person\.json$/, key: 'relations.disliked', reason: /"liked" and "disliked"/ }]
  )
})
