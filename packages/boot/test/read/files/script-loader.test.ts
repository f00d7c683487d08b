import t from 'tap'
import { bootApp, notesOf } from '../../make-app.ts'

const told: [string, 2 | 3, string, RegExp | undefined][] = [
  ['nothing of the module loopback', 3, "const loopback = require('loopback')", undefined],
  [
    'nothing of methods of bluebird, which promises have',
    3,
    'const f = promise => promise.tap(console.log)',
    undefined
  ],
  ['getters of middleware', 3, 'const f = loopback => loopback.compress()', /Express/],
  ['no getters of middleware in version 2, which has them', 2, 'const f = loopback => loopback.compress()', undefined],
  ['nothing of other scripts', 3, 'const f = list => list.map(item => item.tap)', undefined]
]

for (const [name, version, line, reason] of told) {
  void t.test(`tells of ${name}`, async (t) => {
    const files = { 'common/models/thing.js': `// first\n${line}\nmodule.exports = () => {}` }
    const notes = notesOf(await bootApp(t, files, { version }))
    t.equal(notes.length, reason === undefined ? 0 : 1)
    if (reason !== undefined) t.match(notes[0], new RegExp(`^common/models/thing\\.js: line 2: .*${reason.source}`))
  })
}

void t.test('boot scripts and mixins are looked at, too', async (t) => {
  const script = 'const f = loopback => loopback.compress()\nmodule.exports = () => {}'
  const thing = { name: 'Thing', mixins: { Stamp: true } }
  const files = {
    'common/models/thing.json': thing,
    'common/mixins/stamp.js': script,
    'server/boot/a.js': script
  }
  t.match(notesOf(await bootApp(t, files)), [/stamp\.js: line 1/, /a\.js: line 1/])
})
