import t from 'tap'
import { collectNotes } from '#src/boot-report.ts'
import { noteSettings, removedSettings } from '#src/read/config/note-settings.ts'
import { readConfig } from '#src/read/config/read-config.ts'
import type { Settings } from '#src/read/config/settings-schema.ts'
import { makeAppFolder } from '../../make-app.ts'

const cases: [string, Settings, 2 | 3, (string | undefined)[]][] = [
  ['usual settings are not told', { remoting: { context: false, cors: false, rest: { xml: true } } }, 3, []],
  ["the application's own keys are not told", { own: 1, remoting: {} } as Settings, 3, []],
  [
    'unknown keys of remoting are',
    { remoting: { extra: 1, rest: { more: 1 } } } as Settings,
    3,
    ['remoting.extra', 'remoting.rest.more']
  ],
  ['handleErrors is', { remoting: { rest: { handleErrors: true } } }, 2, ['remoting.rest.handleErrors']],
  ['the old explorer is', { legacyExplorer: true }, 3, ['legacyExplorer']],
  ['what version 3 removed is', { remoting: { context: true, cors: null } }, 3, ['remoting.context', 'remoting.cors']],
  ['version 2 has it', { remoting: { context: true, cors: {} } }, 2, []]
]

for (const [name, settings, version, keys] of cases) {
  void t.test(name, async (t) => {
    const config = readConfig(await makeAppFolder(t, { 'server/config.json': settings }), 'config')
    const { notes, add } = collectNotes()
    noteSettings(settings, config, version, add)
    t.strictSame(
      notes.map(({ key }) => key),
      keys
    )
    t.ok(notes.every(({ file }) => file === 'server/config.json'))
  })
}

void t.test('only false and nothing at all keep the API of version 3 running', async (t) => {
  for (const value of [true, {}, null, 0, 'x']) t.strictSame(removedSettings({ context: value }), ['context'])
  t.strictSame(removedSettings({ context: false }), [])
  t.strictSame(removedSettings({}), [])
})
