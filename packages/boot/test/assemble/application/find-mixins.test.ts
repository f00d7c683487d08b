import t from 'tap'
import { findMixins } from '#src/assemble/application/define-application.ts'
import { makeAppFolder } from '../../make-app.ts'

void t.test('finds mixins by the names of their files, and of JSON files beside them', async (t) => {
  const folder = await makeAppFolder(t, {
    'common/mixins/time-stamp.js': '',
    'common/mixins/other.cjs': '',
    'common/mixins/other.json': { name: 'my-own' },
    'common/mixins/notes.txt': ''
  })
  const found = findMixins(folder, ['loopback/common/mixins', '../common/mixins', './mixins'])
  t.strictSame([...found.keys()], ['my-own', 'TimeStamp'])
  t.equal(folder.nameOf(found.get('TimeStamp') ?? ''), 'common/mixins/time-stamp.js')
})

void t.test('of two scripts for one mixin the later counts', async (t) => {
  const folder = await makeAppFolder(t, { 'common/mixins/stamp.js': '', 'server/mixins/stamp.js': '' })
  const found = findMixins(folder, ['../common/mixins', './mixins'])
  t.equal(folder.nameOf(found.get('Stamp') ?? ''), 'server/mixins/stamp.js')
})
