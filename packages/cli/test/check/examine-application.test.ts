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
