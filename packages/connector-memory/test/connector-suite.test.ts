import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { connectorTests } from '@modelwire/connector-tests'
import { memory } from '#src/memory.ts'

void t.test('the memory connector passes the suite', (t) =>
  connectorTests(t, { name: 'memory', create: () => memory() })
)

void t.test('the memory connector with a file passes the suite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  await connectorTests(t, { name: 'memory file', create: () => memory({ file: join(folder, `${files++}.json`) }) })
})
