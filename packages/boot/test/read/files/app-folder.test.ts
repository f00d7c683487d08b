import { join } from 'node:path'
import t from 'tap'
import { findAppFolder } from '#src/read/files/app-folder.ts'
import { makeFolder } from '../../make-app.ts'

void t.test('takes the folder of an application or its server folder', async (t) => {
  const dir = await makeFolder(t, { 'server/config.json': {} })
  for (const given of [dir, join(dir, 'server')]) {
    const folder = findAppFolder(given, 'test')
    t.equal(folder.root, dir)
    t.equal(folder.serverDir, join(dir, 'server'))
  }
})

void t.test('names files relative to the application', async (t) => {
  const dir = await makeFolder(t, { 'server/config.json': {} })
  const { nameOf } = findAppFolder(dir, 'test')
  t.equal(nameOf(join(dir, 'common', 'models', 'a.json')), 'common/models/a.json')
  t.equal(nameOf('/elsewhere/a.json'), '/elsewhere/a.json')
})

void t.test('refuses what is no folder', async (t) => {
  t.throws(() => findAppFolder('/nowhere/at/all', 'test'), {
    code: 'APP_FOLDER_INVALID',
    where: { file: '/nowhere/at/all' }
  })
})
