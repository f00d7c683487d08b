import { readFileSync } from 'node:fs'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from './fake-terminal.ts'

t.test('the README names every command', async (t) => {
  const terminal = fakeTerminal()
  await run(['--help'], terminal)
  const commands = [...terminal.outText().matchAll(/^ {2}(\w+) [[<]/gm)].flatMap(([, name]) => name ?? [])
  t.ok(commands.length > 8)
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const name of commands) t.match(readme, new RegExp(`\`modelwire ${name}`), name)
})
