import { rmSync } from 'node:fs'
import t, { type Test } from 'tap'
import { readArguments } from '#src/read-arguments.ts'

function read(t: Test, args: readonly string[], numbers: Readonly<Record<string, number>> = {}) {
  const given = readArguments(args, numbers)
  if (given.isTemporary) t.teardown(() => rmSync(given.folder, { recursive: true }))
  return given
}

t.test('a folder that nobody named is temporary', async (t) => {
  t.match(read(t, []), { port: 7800, isTemporary: true })
  t.match(read(t, ['--folder', '/data/cluster', '--port', '9100']), {
    port: 9100,
    folder: '/data/cluster',
    isTemporary: false
  })
})

t.test('further options have their defaults', async (t) => {
  t.match(read(t, ['--minutes', '3'], { minutes: 45, 'faults-every': 150 }).numbers, {
    minutes: 3,
    'faults-every': 150
  })
})

for (const args of [['--minutes', '3'], ['--port', 'many'], ['--port', '0'], ['stop']]) {
  t.test(`${args.join(' ')} is refused`, async (t) => {
    t.throws(() => read(t, args), { code: 'ARGUMENTS_INVALID' })
  })
}
